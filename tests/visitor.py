"""A visitor without a browser, who sends whatever it likes: widgets that are disabled, or other people's."""

import hashlib
import secrets
import socket
import time
from contextlib import ExitStack

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect


class Visitor:
    """One tab of somebody with a cookie; what a page shows is in ``elements``."""

    def __init__(self, server, *, cookie=None, host=None, origin=None, **headers):
        self.cookie = cookie or secrets.token_urlsafe(32)
        host = host or f"localhost:{server.port}"
        headers |= {"Cookie": f"pgcn_visitor={self.cookie}", "Origin": origin or f"http://{host}"}
        self.stack = ExitStack()
        made = connect(
            f"ws://{host}/_stcore/stream",
            sock=socket.create_connection(("localhost", server.port)),
            subprotocols=["streamlit"],
            additional_headers=headers,
            user_agent_header=None,
            max_size=None,
        )
        self.socket = self.stack.enter_context(made)
        self.elements, self.page, self.query = {}, "", ""
        self.address = ""
        """What the page has put into the address bar."""

    @property
    def key(self):
        return hashlib.sha256(f"browser {self.cookie}".encode()).hexdigest()[:32]

    def open(self, page, query=""):
        self.page, self.query = page, query
        return self.run()

    def run(self, **widgets):
        """Run the page with these widgets as sent: True is a click, text is typed. Return the elements shown."""
        message = BackMsg()
        message.rerun_script.page_name = self.page
        message.rerun_script.query_string = self.query
        for key, value in widgets.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.widget(key).id
            if value is True:
                state.trigger_value = True
            else:
                state.string_value = value
        self.socket.send(message.SerializeToString())
        self.elements, deadline = {}, time.monotonic() + 30
        while time.monotonic() < deadline:
            answer = ForwardMsg.FromString(self.socket.recv(timeout=30))
            if answer.WhichOneof("type") == "delta" and answer.delta.WhichOneof("type") == "new_element":
                self.elements[tuple(answer.metadata.delta_path)] = answer.delta.new_element
            if answer.WhichOneof("type") == "page_info_changed":
                self.address = answer.page_info_changed.query_string
            whole = ForwardMsg.FINISHED_SUCCESSFULLY  # neither a fragment's run nor one that was cut short
            if answer.WhichOneof("type") == "script_finished" and answer.script_finished == whole:
                return list(self.elements.values())
        raise AssertionError("the page did not end")

    def widget(self, key):
        """Return the widget with a key, as it was last sent."""
        return next(widget for widget in self.widgets() if widget.id.endswith(f"-{key}"))

    def widgets(self):
        for element in self.elements.values():
            widget = getattr(element, element.WhichOneof("type"))
            if getattr(widget, "id", ""):
                yield widget

    def words(self):
        """Return all that the page says."""
        return "\n".join(str(element) for element in self.elements.values())

    def close(self):
        self.stack.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
