import { runService } from '@paddock/service';
import { openEvents } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'events-service', settings: () => readConfig(), open: openEvents });
