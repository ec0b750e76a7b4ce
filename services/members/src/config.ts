import {
	contextRules,
	contextSettings,
	deployedContextsSetting,
	readSettings,
	withRules,
} from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = withRules(
	z.object({
		...contextSettings(context),
		CONTEXTS: deployedContextsSetting(context),
		FEDERATION_CLUB_NUMBER: z
			.string()
			.regex(/^[1-9]\d{3}$/, 'must be four digits, the first not 0')
			.default('9000')
			.describe('First four digits of the membership numbers of members without a club; reserved for them.'),
	}),
	contextRules,
);

export type MembersSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): MembersSettings {
	return readSettings(settings, env);
}
