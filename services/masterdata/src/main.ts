import { runService } from '@paddock/service';
import { openMasterdata } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'masterdata-service', settings: () => readConfig(), open: openMasterdata });
