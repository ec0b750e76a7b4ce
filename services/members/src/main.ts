import { runService } from '@paddock/service';
import { openMembers } from './app.ts';
import { readConfig } from './config.ts';

await runService({ name: 'members-service', settings: () => readConfig(), open: openMembers });
