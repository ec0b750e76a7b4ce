import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { Metrics } from '@paddock/telemetry';
import { Counter } from 'prom-client';
import type { EntryCheck, EventRow, StoredOverride } from '../database-schema.ts';
import { mayManage } from '../events/access.ts';
import type { EntryOverrideBody } from './schemas.ts';

/** The overrides of a request, with the caller and the time, and those that the entry has already. */
export interface OverrideRequest {
	readonly requested: readonly EntryOverrideBody[];
	readonly stored: readonly StoredOverride[];
	readonly by: Pick<StoredOverride, 'byUserId' | 'byName' | 'at'>;
}

/** An error for all others, so that no finding is passed by mistake. @throws ApiError OUT_OF_SCOPE */
export function requireOverridesAllowed(
	overrides: readonly EntryOverrideBody[] | undefined,
	principal: Principal,
	{ organiserClubId }: Pick<EventRow, 'organiserClubId'>,
): void {
	if (requestedOverrides(overrides).length === 0 || mayManage(principal, organiserClubId)) return;
	throw apiError('OUT_OF_SCOPE', {
		message: 'Only the organiser and the federation’s office pass findings.',
	});
}

/** The overrides of a request without those that it repeats as they were read. */
export function requestedOverrides(
	overrides: readonly EntryOverrideBody[] | undefined,
): readonly EntryOverrideBody[] {
	return overrides?.filter(({ at }) => at === undefined) ?? [];
}

/** Subject of overrides for a pair that has passed its entry on: they stay on record, but are about no finding any more. */
const formerPair = 'former pair';

export function formerOverrides(overrides: readonly StoredOverride[]): readonly StoredOverride[] {
	return overrides.map((override) => ({ ...override, subject: formerPair }));
}

/** Whether an override is about a pair that has passed its entry on; the new one does not read it. */
export function isFormer({ subject }: StoredOverride): boolean {
	return subject === formerPair;
}

/** Whether an override counts for a finding: it has the same code and subject. */
function isFor({ code, subject }: StoredOverride, check: EntryCheck): boolean {
	return code === check.code && subject === (check.subject ?? 'entry');
}

function passed(check: EntryCheck, { reason, byName, at }: StoredOverride): EntryCheck {
	return { ...check, level: 'WARNING', overridden: { reason, byName, at } };
}

/** Passes errors by overrides that were stored before. An error whose subject is another one stays. */
export function withStoredOverrides(
	checks: readonly EntryCheck[],
	stored: readonly StoredOverride[],
): readonly EntryCheck[] {
	return checks.map((check) => {
		const override = stored.find((one) => isFor(one, check));
		return check.level === 'ERROR' && override !== undefined ? passed(check, override) : check;
	});
}

/** Passes overridable errors; `added`: the overrides that the request adds. */
export function withOverrides(
	checks: readonly EntryCheck[],
	{ requested, stored, by }: OverrideRequest,
): { readonly checks: readonly EntryCheck[]; readonly added: readonly StoredOverride[] } {
	const added: StoredOverride[] = [];
	const result = withStoredOverrides(checks, stored).map((check) => {
		const wanted = requested.find(({ code }) => code === check.code);
		if (check.level !== 'ERROR' || check.overridable !== true || wanted === undefined) return check;
		const { code, subject = 'entry', about } = check;
		const override = { code, subject, about, reason: wanted.reason, ...by };
		added.push(override);
		return passed(check, override);
	});
	return { checks: result, added };
}

export function overrideCounter({ registry }: Metrics) {
	const counter = new Counter({
		name: 'events_entry_overrides_total',
		help: 'Findings about entries that organiser or office passed with a reason, by code.',
		labelNames: ['code'] as const,
		registers: [registry],
	});
	return (overrides: readonly Pick<StoredOverride, 'code'>[]): void => {
		for (const { code } of overrides) counter.inc({ code });
	};
}
