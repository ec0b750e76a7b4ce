import { dayInVienna } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { once } from '@paddock/database';
import { isOfficer, requireActingMember } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { HorsesQueryable } from '../database-schema.ts';
import { deathDayErrors, insertDeathDecision } from '../death/change-death.ts';
import type { HorsesDeps } from '../deps.ts';
import { insertPeriod } from '../ownership/store.ts';
import { checkParents, parentageOf } from '../pedigree/check-parentage.ts';
import { type Birth, birthErrors, birthOf, firstDayOf } from '../pedigree/rules.ts';
import { lockPedigrees } from '../pedigree/store.ts';
import { referencesOfHorse, referencesOfOwners, requireReferences } from '../peers/check-references.ts';
import type { HorseRegistration, WrittenHorse } from './body-schemas.ts';
import { officeValues, requireEntrusted, requireIdentification, writtenByOffice } from './rules.ts';
import type { Horse } from './schemas.ts';
import { completeHorse, insertHorse, writtenColumns } from './store.ts';

interface Registration extends Call {
	readonly body: HorseRegistration;
}

/** With its first owners. @throws ApiError, see the route; errors of peer calls. Nothing is stored then. */
export function registerHorse(call: Registration, deps: HorsesDeps): Promise<Horse> {
	const { body, now, principal } = call;
	const today = dayInVienna(now);
	const { dateOfDeath } = body;
	const registeredOn = body.registeredOn ?? today;
	return once(deps.db, call, {
		operationId: 'registerHorse',
		input: body,
		check: async () => {
			requireEntrusted(principal, body);
			officeValues(principal, body);
			if (dateOfDeath !== null && !isOfficer(principal)) throw writtenByOffice(['dateOfDeath']);
			refuseInvalid(dayErrors(birthOf(body), { registeredOn, dateOfDeath }, today));
			requireIdentification(body);
			const acting = await requireActingMember(call, deps.directory.members);
			requireEntrusted(acting.principal, body);
			const references = [...referencesOfHorse(body), ...referencesOfOwners(body.owners)];
			await requireReferences(references, call, deps);
		},
		effect: (transaction) =>
			insertRegistration(
				transaction,
				{ ...body, ...birthOf(body), ...officeValues(principal, body), registeredOn },
				call,
			),
	});
}

interface Days {
	readonly registeredOn: string;
	/** The day of an ancestor; null for a living horse. */
	readonly dateOfDeath: string | null;
}

function dayErrors(birth: Birth, { registeredOn, dateOfDeath }: Days, today: string): FieldError[] {
	const wrongBirth = birthErrors(birth, today, dateOfDeath);
	const wrongDeath =
		dateOfDeath === null ? [] : deathDayErrors(dateOfDeath, birth, { field: 'dateOfDeath', today });
	const error = (message: string): FieldError[] => [
		...wrongBirth,
		...wrongDeath,
		{ field: 'registeredOn', code: 'INVALID_RANGE', message },
	];
	if (registeredOn > today) return error('must not lie in the future');
	// An invalid birth cannot be compared with the registration day.
	if (wrongBirth.length > 0 || wrongDeath.length > 0) return [...wrongBirth, ...wrongDeath];
	return registeredOn < firstDayOf(birth) ? error('must not lie before the birth') : [];
}

type NewHorse = WrittenHorse & Pick<HorseRegistration, 'owners' | 'dateOfDeath'> & Pick<Days, 'registeredOn'>;

async function insertRegistration(
	db: HorsesQueryable,
	{ owners, dateOfDeath, ...horse }: NewHorse,
	{ now, principal }: Call,
): Promise<Horse> {
	if (horse.sireId !== null || horse.damId !== null) {
		await lockPedigrees(db);
		await checkParents(db, parentageOf(horse));
	}
	const { registeredOn } = horse;
	const isDead = dateOfDeath !== null;
	const status = isDead ? 'DECEASED' : 'ACTIVE';
	const row = await insertHorse(db, { ...writtenColumns(horse), registeredOn, status, dateOfDeath }, now);
	const decision = { decision: 'CONFIRMED', reason: null, decidedBy: principal.userId } as const;
	if (isDead) await insertDeathDecision(db, row, { ...decision, dateOfDeath }, now);
	// An ownership does not begin after the death.
	const from = isDead && dateOfDeath < registeredOn ? dateOfDeath : registeredOn;
	await insertPeriod(db, row.id, { from, owners });
	return completeHorse(db, row);
}
