import { runService } from '@paddock/service';
import { openPing } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'ping-service', settings: readConfig, open: async () => openPing() });
