import { runService } from '@paddock/service';
import { openHorses } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'horses-service', settings: () => readConfig(), open: openHorses });
