import { contextSettings, deployedContextsSetting, jobPollSetting } from '@paddock/service/settings';
import type { z } from 'zod';
import { context } from '../context.ts';

export const settings = contextSettings(context).safeExtend({
	CONTEXTS: deployedContextsSetting(context),
	JOB_POLL_MS: jobPollSetting,
});

export type HorsesSettings = z.output<typeof settings>;
