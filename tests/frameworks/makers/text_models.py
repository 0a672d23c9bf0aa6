"""Writes a model version for text generation: `text_models.py FOLDER` makes FOLDER/writer with model.py, a tiny GPT-2 of
random weights with its tokenizer, and expected.json: what it writes after the prompt, word for word."""

import json
import os
import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

PROMPT = "the shell lies on the beach"
COUNT = 12
WORDS = "the shell lies on beach sea sand wind wave rock gull sun moon tide salt foam grass dune boat net".split()

MODEL = '''"""A causal language model, one answer for each piece of text as soon as it is there."""

import json
import os
import threading

import numpy as np
import torch
import triton_python_backend_utils as pb_utils
from transformers import AutoModelForCausalLM, AutoTokenizer, TextIteratorStreamer


class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        config.add_input({"name": "text_input", "data_type": "TYPE_STRING", "dims": [1]})
        config.add_input({"name": "max_tokens", "data_type": "TYPE_INT32", "dims": [1], "optional": True})
        config.add_output({"name": "text_output", "data_type": "TYPE_STRING", "dims": [1]})
        config.set_max_batch_size(0)
        config.set_model_transaction_policy({"decoupled": True})
        return config

    def initialize(self, args):
        torch.set_num_threads(1)
        folder = os.path.join(args["model_repository"], args["model_version"], "weights")
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModelForCausalLM.from_pretrained(folder).eval()

    def execute(self, requests):
        for request in requests:
            threading.Thread(target=self.write, args=(request, request.get_response_sender())).start()
        return None

    def write(self, request, sender):
        try:
            prompt = pb_utils.get_input_tensor_by_name(request, "text_input").as_numpy()[0].decode()
            asked = pb_utils.get_input_tensor_by_name(request, "max_tokens")
            count = 12 if asked is None else int(asked.as_numpy()[0])
            streamer = TextIteratorStreamer(self.tokenizer, skip_prompt=True)
            given = self.tokenizer(prompt, return_tensors="pt")
            work = dict(**given, streamer=streamer, max_new_tokens=count, do_sample=False)
            threading.Thread(target=self.model.generate, kwargs=work).start()
            for piece in streamer:
                if piece == "":
                    continue
                text = np.array([piece.encode()], dtype=np.object_)
                sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("text_output", text)]))
        except Exception as error:
            sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError(str(error))))
        sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
'''


def main(folder):
    version = os.path.join(folder, "writer")
    weights = os.path.join(version, "weights")
    os.makedirs(weights)
    with open(os.path.join(version, "model.py"), "w") as code:
        code.write(MODEL)
    words = {word: number for number, word in enumerate(["<end>", "<unknown>", *WORDS])}
    plain = Tokenizer(models.WordLevel(words, unk_token="<unknown>"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, unk_token="<unknown>", eos_token="<end>", pad_token="<end>"
    )
    torch.manual_seed(7)
    size = {"vocab_size": len(words), "n_positions": 64, "n_embd": 32, "n_layer": 2, "n_head": 2}
    model = GPT2LMHeadModel(GPT2Config(**size, bos_token_id=0, eos_token_id=0, pad_token_id=0)).eval()
    # What no text should hold: then every run has as many words as were asked for.
    model.generation_config.suppress_tokens = [0, 1]
    model.save_pretrained(weights)
    tokenizer.save_pretrained(weights)
    given = tokenizer(PROMPT, return_tensors="pt")
    made = model.generate(**given, max_new_tokens=COUNT, do_sample=False)[0, given["input_ids"].shape[1] :]
    with open(os.path.join(version, "expected.json"), "w") as expected:
        json.dump({"prompt": PROMPT, "words": tokenizer.decode(made).split()}, expected)


main(sys.argv[1])
