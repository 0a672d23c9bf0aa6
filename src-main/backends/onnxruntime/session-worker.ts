// Entry of an instance worker that holds ONNX Runtime sessions.

import { serveSessions } from '../instance-host/session-server.ts';
import { openOrtSession } from './ort-session.ts';

serveSessions(openOrtSession);
