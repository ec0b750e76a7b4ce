import { defineMail } from '@paddock/mail';

const security = { category: 'SECURITY', canBeSwitchedOff: false } as const;
const membership = { category: 'MEMBERSHIP', canBeSwitchedOff: true } as const;

const german = {
	notYou: 'Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort, und verständigen Sie den Verband:',
	link: { link: { path: '/app/forgot-password', text: 'Neues Passwort' } },
};
const english = {
	notYou: 'If it was not you, set a new password at once, and tell the federation:',
	link: { link: { path: '/app/forgot-password', text: 'New password' } },
};

export type FactorKind = 'TOTP' | 'PASSKEY';

interface Factor {
	readonly kind: FactorKind;
	/** Of a passkey, as its owner has named it. */
	readonly label: string | null;
}

const factorExample: Factor = { kind: 'PASSKEY', label: 'Telefon' };

function inGerman({ kind, label }: Factor): string {
	return kind === 'TOTP' ? 'eine Authenticator-App' : `ein Passkey${label === null ? '' : ` (${label})`}`;
}

function inEnglish({ kind, label }: Factor): string {
	return kind === 'TOTP' ? 'An authenticator app' : `A passkey${label === null ? '' : ` (${label})`}`;
}

export const secondFactorAdded = defineMail<Factor>({
	...security,
	name: 'second-factor-added',
	example: factorExample,
	de: (factor) => ({
		subject: 'Ein zweiter Faktor wurde hinzugefügt',
		parts: [`${inGerman(factor)} gehört jetzt zu Ihrem Konto.`, german.notYou, german.link],
	}),
	en: (factor) => ({
		subject: 'A second factor was added',
		parts: [`${inEnglish(factor)} now belongs to your account.`, english.notYou, english.link],
	}),
});

export const secondFactorRemoved = defineMail<Factor>({
	...security,
	name: 'second-factor-removed',
	example: factorExample,
	de: (factor) => ({
		subject: 'Ein zweiter Faktor wurde entfernt',
		parts: [`${inGerman(factor)} gehört nicht mehr zu Ihrem Konto.`, german.notYou, german.link],
	}),
	en: (factor) => ({
		subject: 'A second factor was removed',
		parts: [`${inEnglish(factor)} no longer belongs to your account.`, english.notYou, english.link],
	}),
});

export const secondFactorsReset = defineMail<object>({
	...security,
	name: 'second-factors-reset',
	example: {},
	de: () => ({
		subject: 'Alle zweiten Faktoren wurden entfernt',
		parts: [
			'der Verband hat alle zweiten Faktoren Ihres Kontos entfernt und alle Geräte abgemeldet. Sie melden sich jetzt mit dem Passwort allein an; bitte richten Sie wieder einen zweiten Faktor ein.',
			german.notYou,
			german.link,
		],
	}),
	en: () => ({
		subject: 'All second factors were removed',
		parts: [
			'The federation has removed all second factors of your account and signed out all devices. You now sign in with the password alone; please set up a second factor again.',
			english.notYou,
			english.link,
		],
	}),
});

export const recoveryCodeUsed = defineMail<{ readonly left: number }>({
	...security,
	name: 'recovery-code-used',
	example: { left: 9 },
	de: ({ left }) => ({
		subject: 'Ein Wiederherstellungscode wurde verwendet',
		parts: [
			`mit einem Wiederherstellungscode hat sich jemand an Ihrem Konto angemeldet oder etwas bestätigt. Übrig sind: ${left}.`,
			german.notYou,
			german.link,
		],
	}),
	en: ({ left }) => ({
		subject: 'A recovery code was used',
		parts: [
			`Somebody has signed in to your account with a recovery code, or confirmed something with it. Codes left: ${left}.`,
			english.notYou,
			english.link,
		],
	}),
});

export const recoveryCodesRenewed = defineMail<object>({
	...security,
	name: 'recovery-codes-renewed',
	example: {},
	de: () => ({
		subject: 'Sie haben neue Wiederherstellungscodes',
		parts: [
			'die Wiederherstellungscodes Ihres Kontos wurden ersetzt. Die früheren gelten nicht mehr.',
			german.notYou,
			german.link,
		],
	}),
	en: () => ({
		subject: 'You have new recovery codes',
		parts: [
			'The recovery codes of your account were replaced. The former ones are no longer valid.',
			english.notYou,
			english.link,
		],
	}),
});

export const newDevice = defineMail<{ readonly device: string }>({
	...security,
	name: 'new-device',
	example: { device: 'Firefox on Windows' },
	de: ({ device }) => ({
		subject: 'Anmeldung an einem neuen Gerät',
		parts: [
			`an Ihrem Konto hat sich ein Gerät angemeldet, das bisher unbekannt war: ${device.replace(' on ', ' unter ')}.`,
			german.notYou,
			german.link,
		],
	}),
	en: ({ device }) => ({
		subject: 'Sign-in on a new device',
		parts: [
			`A device that was not known before has signed in to your account: ${device}.`,
			english.notYou,
			english.link,
		],
	}),
});

export const rolesChanged = defineMail<{ readonly roles: readonly string[] }>({
	...security,
	name: 'roles-changed',
	example: { roles: ['MEMBER', 'CLUB_OFFICIAL'] },
	de: ({ roles }) => ({
		subject: 'Die Rollen Ihres Kontos wurden geändert',
		parts: [
			`die Rollen Ihres Kontos, oder die Vereine dazu, wurden vom Verband geändert. Sie sind jetzt: ${roles.join(', ')}.`,
			'Wenn Sie das nicht erwarten, fragen Sie beim Verband nach.',
		],
	}),
	en: ({ roles }) => ({
		subject: 'The roles of your account were changed',
		parts: [
			`The federation has changed the roles of your account, or their clubs. They are now: ${roles.join(', ')}.`,
			'If you do not expect this, ask the federation.',
		],
	}),
});

type Relationship = 'SELF' | 'GUARDIAN' | 'CLUB_CONTACT';

function actingInGerman(relationship: Relationship): string {
	if (relationship === 'GUARDIAN') return 'als Erziehungsberechtigte oder Erziehungsberechtigter';
	return relationship === 'CLUB_CONTACT' ? 'als Kontakt des Vereins' : 'als dieses Mitglied selbst';
}

function actingInEnglish(relationship: Relationship): string {
	if (relationship === 'GUARDIAN') return 'as guardian';
	return relationship === 'CLUB_CONTACT' ? 'as contact of the club' : 'as this member';
}

const links = { path: '/app/members' };

export const linkConfirmed = defineMail<{ readonly relationship: Relationship }>({
	...membership,
	name: 'member-link-confirmed',
	example: { relationship: 'GUARDIAN' },
	de: ({ relationship }) => ({
		subject: 'Ihr Konto wurde mit einem Mitglied verbunden',
		parts: [
			`Ihre Anfrage wurde bestätigt: Sie handeln jetzt ${actingInGerman(relationship)}.`,
			{ link: { ...links, text: 'Meine Mitglieder' } },
		],
	}),
	en: ({ relationship }) => ({
		subject: 'Your account was linked to a member',
		parts: [
			`Your request was confirmed: you now act ${actingInEnglish(relationship)}.`,
			{ link: { ...links, text: 'My members' } },
		],
	}),
});

export const linkDeclined = defineMail<{ readonly relationship: Relationship; readonly reason: string }>({
	...membership,
	name: 'member-link-declined',
	example: { relationship: 'SELF', reason: 'The membership number belongs to another person.' },
	de: ({ relationship, reason }) => ({
		subject: 'Ihre Anfrage zu einem Mitglied wurde abgelehnt',
		parts: [
			`Ihre Anfrage, ${actingInGerman(relationship)} zu handeln, wurde abgelehnt. Begründung: ${reason}`,
			{ link: { ...links, text: 'Meine Mitglieder' } },
		],
	}),
	en: ({ relationship, reason }) => ({
		subject: 'Your request for a member was declined',
		parts: [
			`Your request to act ${actingInEnglish(relationship)} was declined. Reason: ${reason}`,
			{ link: { ...links, text: 'My members' } },
		],
	}),
});
