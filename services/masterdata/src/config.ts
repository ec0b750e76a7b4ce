import { contextSettings, deployedContextsSetting } from '@paddock/service/settings';
import type { z } from 'zod';
import { context } from '../context.ts';

export const settings = contextSettings(context).safeExtend({ CONTEXTS: deployedContextsSetting(context) });

export type MasterdataSettings = z.output<typeof settings>;
