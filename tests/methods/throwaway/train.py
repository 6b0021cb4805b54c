"""Its trainer."""

import torch
from methods.throwaway.model import Linear

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.losses import score
from pgcn.events import EpochsTrained
from pgcn.methods.endings import ending
from pgcn.methods.network import final_network
from pgcn.methods.run_events import finished, run_started


def build(description, config):
    return Linear(config, **description)


def steps(graph, configs, report_every):
    for run, config in enumerate(configs):
        yield run, run_started(graph, "throwaway", config), None
        shape = {"num_features": graph.num_features, "num_classes": graph.num_classes}
        model, labelled = build(shape, config.to_dict()), graph.train_mask
        adam = torch.optim.Adam(model.parameters(), lr=0.1)
        for epoch in range(1, config.epochs + 1):
            outputs = model(graph.x, graph.edge_index)
            loss = torch.nn.functional.cross_entropy(outputs[labelled], graph.y[labelled])
            adam.zero_grad()
            loss.backward()
            adam.step()
            yield run, EpochsTrained(epoch=epoch, epochs=config.epochs, loss=loss.item()), None
        with torch.no_grad():
            scores = score("ce", model(graph.x, graph.edge_index)[None], PreparedGraph(graph))[0]
        network = final_network(model, topology=(), scores=scores)
        yield run, finished(network, ending=ending("epochs", epochs=config.epochs), seconds=0.0), network
