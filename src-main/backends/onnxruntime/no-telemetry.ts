// ONNX Runtime 1.30 for Linux writes down what it does in a file below the user's home folder, with an identifier of the
// machine, and sends it to its maker. Nothing leaves the computer by itself here, so that is switched off before the
// library is loaded. It reads the variable of the process: whoever is to load it in a thread imports this file outside
// of that thread, whose `process.env` is a copy.

process.env['ORT_DISABLE_TELEMETRY'] = '1';
