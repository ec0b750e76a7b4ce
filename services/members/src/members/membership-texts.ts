import { defineMail } from '@paddock/mail';

const membership = { category: 'MEMBERSHIP', canBeSwitchedOff: true } as const;

export const memberApproved = defineMail<{ readonly membershipNumber: string }>({
	...membership,
	name: 'member-approved',
	example: { membershipNumber: '9000-0001' },
	de: ({ membershipNumber }) => ({
		subject: 'Ihre Mitgliedschaft ist bestätigt',
		parts: [
			'der Verband hat Ihre Mitgliedschaft bestätigt. Sie können ab jetzt bei Turnieren nennen.',
			{ facts: [['Mitgliedsnummer', membershipNumber]] },
		],
	}),
	en: ({ membershipNumber }) => ({
		subject: 'Your membership is approved',
		parts: [
			'The federation has approved your membership. You can enter tournaments from now on.',
			{ facts: [['Membership number', membershipNumber]] },
		],
	}),
});

interface SuspensionFacts {
	readonly reason: string;
	/** The last day; null = until further notice. */
	readonly until: string | null;
}

export const memberSuspended = defineMail<SuspensionFacts>({
	...membership,
	name: 'member-suspended',
	example: { reason: 'Doping rule violation', until: '2026-12-31' },
	de: ({ reason, until }) => ({
		subject: 'Ihre Mitgliedschaft ist gesperrt',
		parts: [
			'der Verband hat Ihre Mitgliedschaft gesperrt. Bis zum Ende der Sperre können Sie nicht nennen und nicht starten.',
			{
				facts: [
					['Grund', reason],
					['Letzter Tag der Sperre', until ?? 'bis auf Weiteres'],
				],
			},
		],
	}),
	en: ({ reason, until }) => ({
		subject: 'Your membership is suspended',
		parts: [
			'The federation has suspended your membership. Until the end of the suspension you cannot enter or start.',
			{
				facts: [
					['Reason', reason],
					['Last day of the suspension', until ?? 'until further notice'],
				],
			},
		],
	}),
});
