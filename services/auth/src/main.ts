import { runService } from '@paddock/service';
import { openAuth } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'auth-service', settings: readConfig, open: openAuth });
