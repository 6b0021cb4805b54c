"""The Predictions page: a table to take home, calibration, what to label next, why a node got its class."""
