import { refuseInvalid } from '@paddock/contract';
import { once } from '@paddock/database';
import type { Call } from '@paddock/service';
import type { MembersDeps } from '../deps.ts';
import { holdHomeClub, referenceErrors } from '../peers/references.ts';
import { callerOf } from './caller.ts';
import { newMemberFields } from './change-rules.ts';
import { checkDuplicates } from './check-duplicates.ts';
import { recordConsents } from './consents.ts';
import type { DuplicateQuery } from './query-schemas.ts';
import { dateErrors, requireGuardian, requireOwnClub, shownTo } from './rules.ts';
import type { Member, MemberBody } from './schemas.ts';
import { holdMembershipNumbers, insertMember, nextMembershipNumber } from './store.ts';

interface NewMember extends Call {
	readonly query: DuplicateQuery;
	readonly body: MemberBody;
}

export async function createMember(call: NewMember, deps: MembersDeps): Promise<Member> {
	const caller = await callerOf(deps.db, call);
	const { query, body } = call;
	const { confirmDuplicate = false } = query;
	const { viewer, now } = caller;
	const rights = viewer.isOffice ? 'office' : 'club';
	return once(deps.db, call, {
		operationId: 'createMember',
		input: { body, confirmDuplicate },
		check: async () => {
			requireOwnClub(rights, viewer, body.homeClubId ?? null);
			const fields = newMemberFields(body, rights, now);
			const errors = [
				...dateErrors(fields, now),
				...(await referenceErrors(deps, fields, undefined, caller)),
			];
			refuseInvalid(errors);
			requireGuardian(fields, now);
			return fields;
		},
		effect: async (transaction, fields) => {
			const search = { person: fields, viewer, confirmed: confirmDuplicate, now };
			const duplicateSuspected = await checkDuplicates(transaction, search);
			const { homeClubId } = fields;
			const club = homeClubId === null ? undefined : await holdHomeClub(transaction, homeClubId);
			const clubNumber = club?.clubNumber ?? deps.federationClubNumber;
			const given = body.membershipNumber;
			if (given !== undefined) await holdMembershipNumbers(transaction, given);
			const membershipNumber = given ?? (await nextMembershipNumber(transaction, clubNumber));
			const whole = { ...fields, membershipNumber };
			const created = await insertMember(transaction, whole, duplicateSuspected, now);
			await recordConsents(transaction, created, undefined, call);
			return shownTo(rights, created);
		},
	});
}
