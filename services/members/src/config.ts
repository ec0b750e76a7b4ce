import { contextSettings, deployedContextsSetting, jobPollSetting } from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

export const settings = contextSettings(context).safeExtend({
	CONTEXTS: deployedContextsSetting(context),
	JOB_POLL_MS: jobPollSetting,
	FEDERATION_CLUB_NUMBER: z
		.string()
		.regex(/^[1-9]\d{3}$/, 'must be four digits, the first not 0')
		.default('9000')
		.describe('First four digits of the membership numbers of members without a club; reserved for them.'),
});

export type MembersSettings = z.output<typeof settings>;
