// Vite configuration of the harness page: `vite --config src-renderer/testing/harness.config.ts`.

import path from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  plugins: [react(), tailwind()],
  server: { port: 0, host: '127.0.0.1' },
});
