import { changeHistory, foldedLetters, type Migration, seedMarks } from '@paddock/database';
import { jobsSchema } from '@paddock/jobs';
import { accounts } from './migrations/0001-accounts.ts';
import { refreshSuccessors } from './migrations/0003-refresh-successors.ts';
import { revocations } from './migrations/0003-revocations.ts';
import { knownDevices } from './migrations/0004-known-devices.ts';
import { uniqueMember } from './migrations/0005-unique-member.ts';
import { visibleNames } from './migrations/0006-visible-names.ts';
import { successorNonces } from './migrations/0008-successor-nonces.ts';
import { foldedWords } from './migrations/0009-folded-words.ts';
import { listIndexes } from './migrations/0010-list-indexes.ts';
import { accountTokens } from './migrations/0020-account-tokens.ts';
import { accountMails } from './migrations/0022-account-mails.ts';
import { emailVerification } from './migrations/0051-email-verification.ts';
import { sessionDevices } from './migrations/0052-session-devices.ts';
import { emailChanges } from './migrations/0053-email-changes.ts';
import { secondFactors } from './migrations/0060-second-factors.ts';
import { memberLinks } from './migrations/0061-member-links.ts';
import { personRequests } from './migrations/0062-person-requests.ts';
import { historyOfLinks } from './migrations/0063-history-of-links.ts';
import { externalIdentities } from './migrations/0064-external-identities.ts';
import { accountIndexes } from './migrations/0070-account-indexes.ts';
import { guardianIndex } from './migrations/0071-guardian-index.ts';
import { bouncedMails } from './migrations/0072-bounced-mails.ts';
import { filteredAccounts } from './migrations/0075-filtered-accounts.ts';
import { countedAccounts } from './migrations/0076-counted-accounts.ts';
import { tiedAccounts } from './migrations/0077-tied-accounts.ts';
import { memberClubs } from './migrations/0078-member-clubs.ts';

/** Applied in the order of their names. A released migration must not be edited. */
export const migrations: Readonly<Record<string, Migration>> = {
	'0001-accounts': accounts,
	'0002-seed-marks': seedMarks,
	'0003-refresh-successors': refreshSuccessors,
	'0003-revocations': revocations,
	'0004-known-devices': knownDevices,
	'0005-unique-member': uniqueMember,
	'0006-visible-names': visibleNames,
	'0007-folded-letters': foldedLetters({ users: ['search_text'] }),
	'0008-successor-nonces': successorNonces,
	'0009-folded-words': foldedWords,
	'0010-list-indexes': listIndexes,
	'0020-account-tokens': accountTokens,
	'0021-jobs': jobsSchema,
	'0022-account-mails': accountMails,
	'0050-change-history': changeHistory({
		users: {
			type: 'USER',
			only: [
				...['email', 'first_name', 'last_name', 'phone_number', 'locale', 'status', 'member_id'],
				...['roles', 'role_scopes', 'password_changed_at', 'email_verified_at'],
			],
		},
		signing_keys: { type: 'SIGNING_KEY', record: 'kid', only: ['kid', 'signs_from'] },
	}),
	'0051-email-verification': emailVerification,
	'0052-session-devices': sessionDevices,
	'0053-email-changes': emailChanges,
	'0060-second-factors': secondFactors,
	'0061-member-links': memberLinks,
	'0062-person-requests': personRequests,
	'0063-history-of-links': historyOfLinks,
	'0064-external-identities': externalIdentities,
	'0070-account-indexes': accountIndexes,
	'0071-guardian-index': guardianIndex,
	'0072-bounced-mails': bouncedMails,
	'0075-filtered-accounts': filteredAccounts,
	'0076-counted-accounts': countedAccounts,
	'0077-tied-accounts': tiedAccounts,
	'0078-member-clubs': memberClubs,
};
