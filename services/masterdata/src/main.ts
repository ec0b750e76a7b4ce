import { runService } from '@paddock/service';
import { context } from '../context.ts';
import { openMasterdata } from './app.ts';
import { settings } from './config.ts';

await runService({ context, settings, open: openMasterdata });
