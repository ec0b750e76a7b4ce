import { dayText, defineMail, instantText } from '@paddock/mail';

interface TransferFacts {
	readonly horseName: string;
	/** First day of the new ownership. */
	readonly from: string;
	readonly expiresAt: Date;
}

const example: TransferFacts = {
	horseName: 'Donnerhall',
	from: '2026-05-01',
	expiresAt: new Date('2026-05-15T10:00:00Z'),
};

const horse = { category: 'HORSES', canBeSwitchedOff: true } as const;
const confirmation = { category: 'CONFIRMATION', canBeSwitchedOff: false } as const;

const factsDe = ({ horseName, from, expiresAt }: TransferFacts) => ({
	facts: [
		['Pferd', horseName],
		['Neuer Besitz ab', dayText(from, 'de')],
		['Bestätigung bis', instantText(expiresAt, 'de')],
	] as [string, string][],
});

const factsEn = ({ horseName, from, expiresAt }: TransferFacts) => ({
	facts: [
		['Horse', horseName],
		['New ownership from', dayText(from, 'en')],
		['To be confirmed by', instantText(expiresAt, 'en')],
	] as [string, string][],
});

/** To the owners whose confirmation is missing. */
export const transferConfirmationWanted = defineMail<TransferFacts>({
	...confirmation,
	name: 'transfer-confirmation-wanted',
	example,
	de: (data) => ({
		subject: `Bitte bestätigen: neuer Besitzer für ${data.horseName}`,
		parts: [
			'ein Pferd, das Ihnen oder Ihrem Kind gehört, soll neue Besitzer bekommen. Das gilt erst, wenn alle jetzigen Besitzer zugestimmt haben. Bitte bestätigen Sie, oder lehnen Sie ab.',
			factsDe(data),
			'Ohne Ihre Antwort bleibt alles, wie es ist.',
		],
	}),
	en: (data) => ({
		subject: `Please confirm: new owner of ${data.horseName}`,
		parts: [
			'A horse that belongs to you or your child is to have new owners. This takes effect once all present owners have agreed. Please confirm or decline.',
			factsEn(data),
			'Without your response nothing changes.',
		],
	}),
});

export const transferExpiring = defineMail<TransferFacts>({
	...confirmation,
	name: 'transfer-expiring',
	example,
	de: (data) => ({
		subject: `Nur noch bis morgen: Bestätigung für ${data.horseName}`,
		parts: [
			'Ihre Zustimmung zum Besitzerwechsel eines Pferdes fehlt noch. Wenn Sie bis zum Ende der Frist nicht bestätigen, verfällt der Antrag.',
			factsDe(data),
		],
	}),
	en: (data) => ({
		subject: `Until tomorrow only: confirmation for ${data.horseName}`,
		parts: [
			'Your consent to the transfer of a horse is still missing. If you do not confirm by then, the request expires.',
			factsEn(data),
		],
	}),
});

/** To the former and the new owners. */
export const transferCompleted = defineMail<Omit<TransferFacts, 'expiresAt'>>({
	...horse,
	name: 'transfer-completed',
	example,
	de: ({ horseName, from }) => ({
		subject: `Besitzerwechsel eingetragen: ${horseName}`,
		parts: [
			'die Besitzer eines Pferdes haben gewechselt. Das betrifft Sie oder Ihr Kind als bisherigen oder neuen Besitzer.',
			{
				facts: [
					['Pferd', horseName],
					['Neuer Besitz ab', dayText(from, 'de')],
				],
			},
			'Wenn das nicht stimmt, verständigen Sie bitte den Verband.',
		],
	}),
	en: ({ horseName, from }) => ({
		subject: `Transfer registered: ${horseName}`,
		parts: [
			'The owners of a horse have changed. This concerns you or your child as a former or new owner.',
			{
				facts: [
					['Horse', horseName],
					['New ownership from', dayText(from, 'en')],
				],
			},
			'If this is wrong, please contact the federation.',
		],
	}),
});

export const transferDeclined = defineMail<Omit<TransferFacts, 'expiresAt'>>({
	...horse,
	name: 'transfer-declined',
	example,
	de: ({ horseName }) => ({
		subject: `Besitzerwechsel abgelehnt: ${horseName}`,
		parts: [
			`der beantragte Besitzerwechsel von ${horseName} wurde abgelehnt. Die Besitzer bleiben dieselben.`,
		],
	}),
	en: ({ horseName }) => ({
		subject: `Transfer declined: ${horseName}`,
		parts: [`The requested transfer of ${horseName} was declined. The owners stay the same.`],
	}),
});

export const transferExpired = defineMail<TransferFacts>({
	...horse,
	name: 'transfer-expired',
	example,
	de: ({ horseName, expiresAt }) => ({
		subject: `Besitzerwechsel verfallen: ${horseName}`,
		parts: [
			`der beantragte Besitzerwechsel von ${horseName} ist verfallen: Bis ${instantText(expiresAt, 'de')} haben nicht alle Besitzer zugestimmt. Er kann neu beantragt werden.`,
		],
	}),
	en: ({ horseName, expiresAt }) => ({
		subject: `Transfer expired: ${horseName}`,
		parts: [
			`The requested transfer of ${horseName} has expired: not all owners agreed by ${instantText(expiresAt, 'en')}. It can be requested again.`,
		],
	}),
});
