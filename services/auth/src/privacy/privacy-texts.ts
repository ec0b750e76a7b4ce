import { defineMail } from '@paddock/mail';

/** Not to be switched off: they protect the account. */
const shared = { category: 'PRIVACY', canBeSwitchedOff: false } as const;

export const exportReady = defineMail<{ readonly path: string; readonly until: string }>({
	...shared,
	name: 'export-ready',
	example: { path: '/app/privacy/export#token', until: '2026-05-08' },
	de: ({ path, until }) => ({
		subject: 'Ihre Daten stehen bereit',
		parts: [
			`Sie haben eine Kopie Ihrer Daten angefordert. Sie kann bis ${until} heruntergeladen werden.`,
			{ link: { path, text: 'Daten herunterladen' } },
			'Haben Sie das nicht angefordert, so ändern Sie bitte Ihr Passwort.',
		],
	}),
	en: ({ path, until }) => ({
		subject: 'Your data are ready',
		parts: [
			`You requested a copy of your data. It can be downloaded until ${until}.`,
			{ link: { path, text: 'Download the data' } },
			'If you did not request this, please change your password.',
		],
	}),
});

export const erasureRequested = defineMail<{ readonly day: string }>({
	...shared,
	name: 'erasure-requested',
	example: { day: '2026-05-31' },
	de: ({ day }) => ({
		subject: 'Ihre Daten werden gelöscht',
		parts: [
			`Sie haben die Löschung Ihres Kontos und Ihrer Daten angefordert. Sie beginnt am ${day}; bis dahin können Sie sich anmelden und sie zurücknehmen.`,
			'Nennungen, Eigentum an Pferden und Buchungen bleiben ohne Ihren Namen bestehen.',
			'Haben Sie das nicht angefordert, so nehmen Sie die Löschung zurück und ändern Sie Ihr Passwort.',
		],
	}),
	en: ({ day }) => ({
		subject: 'Your data will be erased',
		parts: [
			`You requested the erasure of your account and your data. It begins on ${day}; until then you can sign in and cancel it.`,
			'Entries, ownership of horses and bookings stay without your name.',
			'If you did not request this, cancel the erasure and change your password.',
		],
	}),
});

export const erasureDone = defineMail<Record<string, never>>({
	...shared,
	name: 'erasure-done',
	example: {},
	de: () => ({
		subject: 'Ihre Daten sind gelöscht',
		parts: [
			'Ihr Konto ist geschlossen, und Ihre Daten sind gelöscht. Nennungen, Eigentum an Pferden und Buchungen nennen eine anonyme Person.',
			'Dies ist die letzte Nachricht an diese Adresse.',
		],
	}),
	en: () => ({
		subject: 'Your data are erased',
		parts: [
			'Your account is closed, and your data are erased. Entries, ownership of horses and bookings name an anonymous person.',
			'This is the last message to this address.',
		],
	}),
});
