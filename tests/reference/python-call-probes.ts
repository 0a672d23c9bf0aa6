// What Python models may ask of other models, and hand over, evaluated on both sides: coroutines with many calls at once,
// sequences with states, ensembles, batches, timeouts, and arrays of every making.

/** Lines of a coroutine; what it returns is the answer. `this` is the running request. */
export const CALL_PROBES: Readonly<Record<string, readonly string[]>> = {
  coroutines: [
    'return shown(await asking("echo", [1.0]).async_exec())',
    'return [shown(one) for one in await asyncio.gather(*[asking("echo", [float(n)]).async_exec() for n in range(20)])]',
    'return [shown(one) for one in await asyncio.gather(*[asking("slow", [float(n)]).async_exec() for n in range(6)])]',
    'return [shown(one) for one in await asyncio.gather(*[asking("grouped", [[float(n)]]).async_exec() for n in range(6)])]',
    'return shown(await asking("nope", [1.0]).async_exec())',
    'return [shown(one) for one in await asyncio.gather(asking("nope", [1.0]).async_exec(), asking("nope2", [1.0]).async_exec(), return_exceptions=True)]',
    'return shown(await asking("raises", [1.0]).async_exec())',
    'return [shown(one) for one in await asking("repeat", [1.0, 2.0]).async_exec(decoupled=True)]',
    'return [[shown(one) for one in each] for each in await asyncio.gather(*[asking("repeat", [1.0 * n, 2.0]).async_exec(decoupled=True) for n in range(4)])]',
    'return shown(await asking("repeat", [1.0, 2.0]).async_exec())',
    'return [shown(one) for one in await asking("echo", [1.0]).async_exec(decoupled=True)]',
    'return [shown(one) for one in await asking("nope", [1.0]).async_exec(decoupled=True)]',
    'return shown(await asking("echo", [1.0]).async_exec(decoupled=False))',
    'one = asking("echo", [1.0]); return [shown(await one.async_exec()), shown(await one.async_exec())]',
    'one = asking("echo", [1.0]); return [shown(one.exec()), shown(one.exec())]',
    'one = asking("echo", [1.0]).async_exec(); return [shown(await one), shown(await one)]',
    'return type(asking("echo", [1.0]).async_exec()).__name__',
    'task = asyncio.ensure_future(asking("echo", [1.0]).async_exec()); return shown(await asyncio.wait_for(task, 20))',
    'try:\n    return shown(await asyncio.wait_for(asking("slow", [5.0]).async_exec(), 0.05))\nexcept asyncio.TimeoutError:\n    return "late"',
    'return shown(asking("echo", [1.0]).exec())',
    'loop = asyncio.get_running_loop(); return shown(await loop.run_in_executor(None, lambda: asking("echo", [2.0]).exec()))',
    'loop = asyncio.get_running_loop(); return [shown(one) for one in await asyncio.gather(*[loop.run_in_executor(None, asking("echo", [float(n)]).exec) for n in range(8)])]',
  ],
  'kinds of models': [
    'return shown(asking("both", [1.0, 2.0], names=["OUT"]).exec())',
    'return shown(asking("both", [1.0, 2.0], names=["OUT", "MIDDLE"]).exec())',
    'return shown(asking("both", [1.0, 2.0], names=["NOPE"]).exec())',
    'return shown(asking("both", [1.0, 2.0], names=[]).exec())',
    'return shown(asking("both_lost", [1.0, 2.0], names=["OUT"]).exec())',
    'return [shown(one) for one in asking("both_many", [1.0, 2.0], names=["OUT"]).exec(decoupled=True)]',
    'return shown(asking("both_many", [1.0, 2.0], names=["OUT"]).exec())',
    'return [shown(asking("sums", [[float(n)]], correlation_id=11, flags=(1 if n == 0 else 2 if n == 3 else 0)).exec()) for n in range(4)]',
    'return shown(asking("sums", [[1.0]], correlation_id=11).exec())',
    'return shown(asking("sums", [[1.0]]).exec())',
    'return shown(asking("sums", [[1.0]], flags=1).exec())',
    'return shown(asking("sums", [[1.0]], correlation_id="words", flags=1).exec())',
    'return [shown(asking("sums", [[float(n)]], correlation_id=12, flags=3).exec()) for n in range(3)]',
    'return [shown(one) for one in await asyncio.gather(*[asking("sums", [[float(n)]], correlation_id=20 + n, flags=3).async_exec() for n in range(6)])]',
    'return shown(asking("grouped", [[1.0], [2.0], [3.0]]).exec())',
    'return shown(asking("grouped", [[1.0]] * 5).exec())',
    'return shown(asking("grouped", []).exec())',
    'return shown(asking("grouped", np.zeros((0, 1))).exec())',
    'return shown(asking("limited", [1.0], timeout=1).exec())',
    'return [shown(one) for one in await asyncio.gather(*[asking("limited", [2.0], timeout=50_000).async_exec() for n in range(3)])]',
    'return [shown(one) for one in await asyncio.gather(*[asking("limited", [2.0], priority=n).async_exec() for n in range(1)])]',
    'return [shown(asking("slow", [float(n)], parameters={"p": n}, request_id=f"r{n}").exec()) for n in range(2)]',
    'return pb_utils.is_model_ready("both"), pb_utils.is_model_ready("both_lost"), pb_utils.is_model_ready("sums", "1")',
    'return shown(asking("caller", [3.0]).exec())',
    'return shown(asking("caller", [-1.0]).exec())',
    'return shown(request("texts", inputs=[pb_utils.Tensor("INPUT0", np.array([b"", "\\u00fc", b"\\xff\\x00"], object))], requested_output_names=["OUTPUT0"]).exec())',
    'return shown(request("texts", inputs=[pb_utils.Tensor("INPUT0", np.array([], object))], requested_output_names=["OUTPUT0"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("A", np.ones(2, np.float32))], requested_output_names=["A2", "B2"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("A", np.ones(2, np.float32)), pb_utils.Tensor("B", np.ones(1, np.int64))], requested_output_names=["B2"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("A", np.ones(2, np.float32)), pb_utils.Tensor("A", np.ones(2, np.float32))], requested_output_names=["A2"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("B", np.ones(1, np.int64)), pb_utils.Tensor("A", np.ones(2, np.float32))], requested_output_names=["B2", "A2"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("A", np.ones(2, np.float64)), pb_utils.Tensor("B", np.ones(1, np.int64))], requested_output_names=["A2"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("A", np.ones((2, 2), np.float32)), pb_utils.Tensor("B", np.ones(1, np.int64))], requested_output_names=["A2"]).exec())',
    'return shown(request("pair", inputs=[pb_utils.Tensor("A", np.ones(2, np.float32)), pb_utils.Tensor("B", np.ones(1, np.int64)), pb_utils.Tensor("C", np.ones(1, np.int64))], requested_output_names=["A2"]).exec())',
  ],
  'answers of others': [
    'one = asking("echo", [1.0, 2.0]).exec().output_tensors()[0].as_numpy(); one[0] = 9; return one.tolist(), one.flags.writeable',
    'one = asking("echo", [1.0]).exec(); return [one.has_error(), one.error(), len(one.output_tensors()), one.output_tensors()[0].name()]',
    'one = asking("nope", [1.0]).exec(); return [one.has_error(), one.error().message(), one.output_tensors()]',
    'one = asking("echo", [1.0]).exec(); return pb_utils.get_output_tensor_by_name(one, "OUTPUT0").as_numpy().tolist()',
    'found = asking("repeat", [1.0, 2.0]).exec(decoupled=True); return [shown(next(iter(found))), [shown(one) for one in found]]',
    'found = asking("repeat", [1.0, 2.0]).exec(decoupled=True); return [shown(next(found)), shown(next(found))]',
    'found = asking("repeat", [1.0]).exec(decoupled=True); next(iter(found)); return [len(one.output_tensors()) for one in found]',
    'found = asking("repeat", [1.0]).exec(decoupled=True); del found; return "gone"',
    'found = asking("repeat", [float(n) for n in range(300)]).exec(decoupled=True); return sum(float(shown(one)[0][1][0]) for one in found if shown(one))',
    'return len(asking("echo", np.zeros(300000)).exec().output_tensors()[0].as_numpy())',
    'return shown(asking("echo", np.zeros((0,))).exec())',
    'one = np.zeros(4, np.float32); asked = asking("echo", one); one[:] = 7; return shown(asked.exec())',
    'one = np.ones(4, np.float32); t = pb_utils.Tensor("INPUT0", one); one[:] = 7; return t.as_numpy().tolist()',
    't = pb_utils.Tensor("INPUT0", np.ones(4, np.float32)); t.as_numpy()[:] = 5; return shown(request("echo", inputs=[t], requested_output_names=["OUTPUT0"]).exec())',
    't = pb_utils.Tensor("INPUT0", np.ones(4, np.float32)); return [shown(request("echo", inputs=[t], requested_output_names=["OUTPUT0"]).exec()) for _ in range(2)]',
    't = asking("echo", [1.0, 2.0]).exec().output_tensors()[0]; return shown(request("echo", inputs=[pb_utils.Tensor("INPUT0", t.as_numpy())], requested_output_names=["OUTPUT0"]).exec())',
    't = this.inputs()[0]; return t.as_numpy().flags.writeable, t.as_numpy().dtype.name, t.is_cpu()',
    'return request("echo", inputs=[pb_utils.Tensor("INPUT0", np.ones(2, np.float32))]).requested_output_names()',
  ],
  'memory, traces, itself': [
    ...['CPU', 'CPU, 3'].map(
      (place) =>
        `return shown(asking("echo", [1.0], preferred_memory=pb_utils.PreferredMemory(pb_utils.TRITONSERVER_MEMORY_${place})).exec())`,
    ),
    'return [shown(one) for one in asking("repeat", [1.0, 2.0], preferred_memory=pb_utils.PreferredMemory(pb_utils.TRITONSERVER_MEMORY_CPU)).exec(decoupled=True)]',
    'return this.trace().get_context()',
    'return shown(asking("echo", [1.0], trace=this.trace()).exec())',
    'return [shown(asking("echo", [1.0], trace=this.trace()).exec()) for _ in range(3)]',
    'return shown(await asking("echo", [1.0], trace=this.trace()).async_exec())',
    'return shown(asking("nope", [1.0], trace=this.trace()).exec())',
    'return shown(asking("itself", [0.0]).exec())',
    'return shown(asking("itself", [3.0]).exec())',
    'return [shown(one) for one in await asyncio.gather(*[asking("itself", [1.0]).async_exec() for _ in range(2)])]',
    'return shown(request("texts", inputs=this.inputs(), requested_output_names=["OUTPUT0"]).exec())',
    'return len(shown(request("texts", inputs=[pb_utils.Tensor("INPUT0", this.inputs()[0].as_numpy())], requested_output_names=["OUTPUT0"]).exec()))',
    'one = asking("echo", [1.0]); one.set_flags(3); return [one.flags(), shown(one.exec())]',
    'one = asking("echo", [1.0]); one.inputs().append(one.inputs()[0]); return [len(one.inputs()), shown(one.exec())]',
    'one = asking("echo", [1.0], request_id="r", parameters={"a": 1}); return [one.request_id(), one.parameters(), one.timeout(), shown(one.exec())]',
    'return shown(asking("echo", [1.0], model_version=0).exec())',
    'return shown(asking("echo", [1.0], model_version=-2).exec())',
    'return shown(asking("", [1.0]).exec())',
    'return shown(asking("echo/1", [1.0]).exec())',
    'return [len(asking("echo", np.zeros(n)).exec().output_tensors()[0].as_numpy()) for n in (0, 1, 16, 4096, 262144, 1048577)]',
    'return pb_utils.get_model_dir().rsplit("/", 2)[1:]',
    'return [shown(one) for one in asking("repeat", []).exec(decoupled=True)]',
    'return [shown(one) for one in asking("raises", [1.0]).exec(decoupled=True)]',
  ],
  texts: [
    'a = np.array([b"a", "b"], object); t = pb_utils.Tensor("INPUT0", a); a[0] = "changed"; return [t.as_numpy().tolist(), t.as_numpy() is a, sent(t)]',
    'a = np.array([b"a", b"b"]); t = pb_utils.Tensor("INPUT0", a); a[0] = b"c"; return [t.as_numpy().tolist(), sent(t)]',
    't = pb_utils.Tensor("INPUT0", np.array([b"a", "b"], object)); t.as_numpy()[1] = "changed"; return [t.as_numpy().tolist(), sent(t)]',
    't = this.inputs()[0]; t.as_numpy()[0] = b"changed"; return [t.as_numpy().tolist(), len(pb_utils.get_input_tensor_by_name(this, "CODE").as_numpy()[0])]',
    't = request("texts", inputs=[pb_utils.Tensor("INPUT0", np.array([b"a"], object))], requested_output_names=["OUTPUT0"]).exec().output_tensors()[0]; t.as_numpy()[0] = b"changed"; return [t.as_numpy().tolist(), sent(pb_utils.Tensor("INPUT0", t.as_numpy()))]',
    't = pb_utils.Tensor("INPUT0", np.array([[b"a", b"b"], [b"c", b"d"]], object).T); return [t.shape(), t.as_numpy().tolist()]',
    't = pb_utils.Tensor("INPUT0", np.array(["x" * 100000, b""], object)); return [len(one) for one in sent(t)]',
    'return sent(pb_utils.Tensor("INPUT0", np.array([1, 2.5, None, True, "ü"], object)))',
    'return sent(pb_utils.Tensor("INPUT0", np.array([b"a\\x00", b"b\\x00\\x00"], object)))',
    'return sent(pb_utils.Tensor("INPUT0", np.array([b"a\\x00", b"b\\x00c"])))',
    'return sent(pb_utils.Tensor("INPUT0", np.array(["\\ud800"], object)))',
    'return sent(pb_utils.Tensor("INPUT0", np.array([np.bytes_(b"y"), np.str_("x")], object)))',
  ],
  arrays: [
    ...[
      'np.matrix([[1.0, 2.0]], np.float32)',
      'np.broadcast_to(np.float32(3), (4,))',
      'np.arange(8, dtype=np.float32)[::-2]',
      'np.arange(8, dtype=np.float32).reshape(2, 4)[:, 1]',
      'np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)).reshape(-1)',
      'np.arange(4, dtype=">f4")',
      'np.frombuffer(b"\\x00\\x00\\x80\\x3f", np.float32)',
      'np.array([np.nan, np.inf, -np.inf, -0.0], np.float32)',
      'np.float32(7)',
      'np.array(7, np.float32)',
      'np.empty((0,), np.float32)',
      'np.arange(3, dtype=np.float16)',
      'np.arange(3, dtype=np.float64)',
      'np.arange(3, dtype=np.longdouble)',
      'np.arange(3, dtype=np.longlong)',
      'np.arange(3, dtype=np.intc)',
      'np.arange(3, dtype=np.uintp)',
      'np.array([1, 2], "datetime64[s]")',
      'np.array([1, 2], "timedelta64[s]")',
      'np.array([(1, 2.0)], [("a", "i4"), ("b", "f4")])',
      'np.rec.array([(1, 2.0)], [("a", "i4"), ("b", "f4")])',
      'np.array([b"a\\x00", b"b"], "S4")',
      'np.array(["ab", "c"], "U4")',
      'np.array([["a"], ["b"]], object)',
      'np.array([1, 2.5, None, True], object)',
      'np.array([b"a", bytearray(b"b")], object)',
      'np.array([memoryview(b"a")], object)',
      'np.array(b"alone", object)',
      'np.array([[], []], object)',
      'np.array([b"\\x00", b"", "\\u0000", "\\U0001f600"], object)',
      'np.array(["\\ud800"], object)',
      'np.array([{"a": 1}, [1, 2]], object)',
      'np.void(b"abc")',
      'np.array([True, False]).view(np.uint8)',
      'np.memmap("/proc/self/cmdline", np.uint8, "r", shape=(3,))',
    ].map(
      (array) =>
        `t = pb_utils.Tensor("T", ${array}); return [t.shape(), str(t.as_numpy().dtype), t.as_numpy().tolist(), t.as_numpy().flags.c_contiguous]`,
    ),
  ],
};

/** Around the lines of a probe. */
export const CALL_PROBE_CODE = `
NAMES = ("Tensor", "InferenceRequest", "InferenceResponse", "TritonError", "TritonModelException")


def request(model, **changed):
    return pb_utils.InferenceRequest(**{"inputs": [], "requested_output_names": [], "model_name": model, **changed})


def shown(response):
    if response.has_error():
        return f"{int(response.error().code())} {response.error().message()}"
    return [(t.name(), t.as_numpy().tolist()) for t in response.output_tensors()]


def asking(model, values, names=("OUTPUT0",), **more):
    if model in ("raises", "repeat"):
        names = ("OUTPUT0",)
    return request(model, inputs=[pb_utils.Tensor("INPUT0", np.array(values, np.float32))], requested_output_names=list(names), **more)


def sent(tensor):
    answer = request("texts", inputs=[tensor], requested_output_names=["OUTPUT0"]).exec()
    return answer.error().message() if answer.has_error() else answer.output_tensors()[0].as_numpy().tolist()


async def evaluate(text, this):
    try:
        names = {**globals(), "this": this}
        body = "\\n".join("    " + line for line in text.split("\\n"))
        exec("async def probe():\\n" + body, names)
        return repr(await names["probe"]())
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


class TritonPythonModel:
    async def execute(self, requests):
        responses = []
        for each in requests:
            texts = [await evaluate(code.decode(), each) for code in each.inputs()[0].as_numpy()]
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("RESULT", np.array(texts, dtype=object))]))
        return responses
`;
