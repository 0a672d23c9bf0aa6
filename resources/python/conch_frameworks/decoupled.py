"""Answers of a runner to a request of a decoupled model."""

from conch_python.frames import FINAL


def send_all(request, responses):
    """Sends each as it comes, the last one with the final flag: so one is held back until the next is there. Stops where
    the request was given up. `responses`: at least one; closed where it is a generator."""
    sender = request.get_response_sender()
    held = None
    for response in responses:
        if held is not None:
            sender.send(held)
            if sender.is_cancelled():
                sender.send(flags=FINAL)
                return
        held = response
    sender.send(held, flags=FINAL)
