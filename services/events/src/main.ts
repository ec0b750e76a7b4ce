import { runService } from '@paddock/service';
import { context } from '../context.ts';
import { openEvents } from './app.ts';
import { settings } from './config.ts';

await runService({ context, settings, open: openEvents });
