import { runService } from '@paddock/service';
import { openSpecimens } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'specimens-service', settings: () => readConfig(), open: openSpecimens });
