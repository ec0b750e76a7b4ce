import { contextSettings, integerSetting } from '@paddock/service/settings';
import type { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = contextSettings(context).safeExtend({
	PROMOTION_WITHDRAWAL_HOURS: integerSetting(0, 168, 24).describe(
		'Hours in which an entry that got its place from the waiting list can be withdrawn free of charge, even after the entry deadline.',
	),
});

export type EventsSettings = z.output<typeof settings>;
