import type { components } from '@paddock/client';
import { type ComponentChildren, h, toChildArray } from 'preact';
import { isCode } from './failures.ts';
import { Check, Choice, Field, Form, type Values } from './form.ts';
import { dayText, t } from './language.ts';
import { Loaded } from './loaded.ts';
import { paddock, user } from './session.ts';

type Schemas = components['schemas'];
type Link = Schemas['MemberLink'];
type Member = Schemas['Member'];

/** A link with its member, once it is confirmed. */
interface Linked {
	readonly link: Link;
	readonly member: Member | undefined;
}

interface Own {
	readonly self: Member | undefined;
	readonly links: readonly Linked[];
}

async function load(): Promise<Own> {
	const links: Link[] = [];
	for await (const link of paddock.items('/auth/member-links', {
		query: { status: ['REQUESTED', 'CONFIRMED', 'DECLINED'] },
	}))
		links.push(link);
	const linked = await Promise.all(
		links.map(async (link) => ({
			link,
			member:
				link.memberId === null || link.status !== 'CONFIRMED' ? undefined : await memberOf(link.memberId),
		})),
	);
	const memberId = user.value?.memberId ?? null;
	const known = linked.find(({ member }) => member?.id === memberId)?.member;
	return { links: linked, self: known ?? (memberId === null ? undefined : await memberOf(memberId)) };
}

/** Undefined if the caller may not see the member any more. */
async function memberOf(id: string): Promise<Member | undefined> {
	try {
		return (await paddock.get('/api/members/{id}', { path: { id } })) as Member;
	} catch (error) {
		if (isCode(error, 'NOT_FOUND', 'FORBIDDEN')) return undefined;
		throw error;
	}
}

export function MembersPage() {
	return h(Loaded<Own>, {
		load,
		children: ({ self, links }, reload) => {
			const children = links.filter(
				({ link }) => link.relationship === 'GUARDIAN' && link.status === 'CONFIRMED',
			);
			const others = links.filter(
				(linked) =>
					!children.includes(linked) && (linked.member === undefined || linked.member.id !== self?.id),
			);
			return h(
				'div',
				{ class: 'stack wide-gap' },
				h(Section, { name: 'me', title: t('ownMember'), empty: t('noOwnMember') }, [
					self !== undefined && h(MemberRow, { member: self, reload }),
				]),
				h(
					Section,
					{ name: 'children', title: t('myChildren'), empty: t('noChildren') },
					children.map(({ link, member }) => h(MemberRow, { key: link.id, link, member, reload })),
				),
				others.length > 0 &&
					h(
						Section,
						{ name: 'requests', title: t('requests'), empty: '' },
						others.map(({ link, member }) => h(MemberRow, { key: link.id, link, member, reload })),
					),
				h(Claim, { reload }),
			);
		},
	});
}

interface SectionProps {
	readonly name: string;
	readonly title: string;
	readonly empty: string;
	readonly children?: ComponentChildren;
}

function Section({ name, title, empty, children }: SectionProps) {
	const rows = toChildArray(children);
	return h(
		'section',
		{ 'aria-labelledby': name },
		h('h2', { id: name }, title),
		rows.length === 0 ? h('p', { class: 'muted' }, empty) : h('ul', { class: 'rows' }, rows),
	);
}

interface MemberRowProps {
	readonly link?: Link | undefined;
	readonly member: Member | undefined;
	readonly reload: () => Promise<void>;
}

function MemberRow({ link, member, reload }: MemberRowProps) {
	const name = member === undefined ? undefined : `${member.firstName} ${member.lastName}`.trim();
	const number = member?.membershipNumber ?? link?.membershipNumber ?? '';
	const born = member?.dateOfBirth ?? link?.dateOfBirth;
	const end = async (): Promise<undefined> => {
		try {
			const body = { reason: null };
			if (link !== undefined)
				await paddock.post('/auth/member-links/{id}/end', { path: { id: link.id }, body, ifMatch: link });
		} finally {
			// After a refusal too: the link may have been decided meanwhile.
			await reload();
		}
	};
	return h(
		'li',
		{ class: 'row' },
		h(
			'div',
			{},
			h('strong', {}, name ?? t('memberNumber', number)),
			link !== undefined && h('span', { class: 'badge' }, statusText(link)),
			name !== undefined && h('p', { class: 'muted' }, t('memberNumber', number)),
			born && h('p', { class: 'muted' }, t('bornOn', dayText(born))),
			link?.holdsUntil &&
				link.status === 'CONFIRMED' &&
				h('p', { class: 'muted' }, t('holdsUntil', dayText(link.holdsUntil))),
			link?.reason && h('p', { class: 'muted' }, link.reason),
			member !== undefined && h(Consents, { member, reload }),
		),
		link !== undefined &&
			link.status !== 'DECLINED' &&
			h(Form, {
				action: link.status === 'REQUESTED' ? t('withdraw') : t('endLink'),
				submit: end,
				kind: 'quiet',
			}),
	);
}

function statusText({ relationship, status }: Link): string {
	const key = `relation.${relationship}` as const;
	return `${t(key as 'relation.SELF')} · ${t(`link.${status}` as 'link.REQUESTED')}`;
}

/** Consents of the member, which the member and a guardian give and withdraw. */
function Consents({ member, reload }: { readonly member: Member; readonly reload: () => Promise<void> }) {
	const { consents, id } = member;
	if (consents === undefined) return null;
	const save = async ({ publishResults, newsletter }: Values) => {
		const body = {
			consents: {
				publishResults: { given: publishResults !== undefined },
				newsletter: { given: newsletter !== undefined },
			},
		};
		await paddock.patch('/api/members/{id}', { path: { id }, body, ifMatch: member });
		await reload();
		return t('saved');
	};
	return h(
		'details',
		{},
		h('summary', {}, t('consents')),
		h(
			Form,
			{ action: t('save'), submit: save, kind: 'quiet' },
			h(Check, {
				name: 'publishResults',
				label: t('publishResults'),
				checked: consents.publishResults.given,
			}),
			h(Check, { name: 'newsletter', label: t('newsletter'), checked: consents.newsletter.given }),
		),
	);
}

function Claim({ reload }: { readonly reload: () => Promise<void> }) {
	const claim = async ({ relationship = '', membershipNumber = '', dateOfBirth = '' }: Values) => {
		const body = { relationship, membershipNumber, dateOfBirth } as Schemas['MemberClaim'];
		await paddock.post('/auth/member-links', { body });
		await reload();
		return t('claimed');
	};
	const relations = (['SELF', 'GUARDIAN', 'CLUB_CONTACT'] as const).map(
		(relation) => [relation, t(`claim.${relation}`)] as const,
	);
	return h(
		'section',
		{ 'aria-labelledby': 'claim' },
		h('h2', { id: 'claim' }, t('claimMember')),
		h('p', {}, t('claimText')),
		h(
			Form,
			{ action: t('sendRequest'), submit: claim, clears: true },
			h(Choice, { name: 'relationship', label: t('whoIsIt'), options: relations }),
			h(Field, {
				name: 'membershipNumber',
				label: t('membershipNumber'),
				hint: t('membershipNumberHint'),
				inputMode: 'numeric',
				required: true,
				maxLength: 20,
			}),
			h(Field, { name: 'dateOfBirth', type: 'date', label: t('dateOfBirth'), required: true }),
		),
	);
}
