import type { components } from '@paddock/client';
import { h } from 'preact';
import { isCode } from './failures.ts';
import { Field, Form, type Values } from './form.ts';
import { dayText, t, timeText } from './language.ts';
import { Loaded } from './loaded.ts';
import { mailToken } from './navigation.ts';
import { paddock } from './session.ts';
import { LinkIncomplete } from './verify-pages.ts';

type Schemas = components['schemas'];

export function PrivacyPage() {
	return h(
		'div',
		{ class: 'stack wide-gap' },
		h(
			'section',
			{ 'aria-labelledby': 'export' },
			h('h2', { id: 'export' }, t('exportTitle')),
			h('p', {}, t('exportText')),
			h(Loaded<Schemas['DataExport'] | undefined>, {
				load: () => orUndefined(paddock.get('/auth/privacy/exports/latest')),
				children: (latest, reload) => h(Export, { latest, reload }),
			}),
		),
		h(
			'section',
			{ 'aria-labelledby': 'erasure' },
			h('h2', { id: 'erasure' }, t('erasureTitle')),
			h('p', {}, t('erasureText')),
			h(Loaded<Schemas['Erasure'] | undefined>, {
				load: () => orUndefined(paddock.get('/auth/privacy/erasure')),
				children: (latest, reload) => h(Erasure, { latest, reload }),
			}),
		),
	);
}

/** Undefined if there is no request yet. */
async function orUndefined<Data>(reading: Promise<Data>): Promise<Data | undefined> {
	try {
		return await reading;
	} catch (error) {
		if (isCode(error, 'NOT_FOUND')) return undefined;
		throw error;
	}
}

interface RequestProps<Latest> {
	readonly latest: Latest | undefined;
	readonly reload: () => Promise<void>;
}

function Export({ latest, reload }: RequestProps<Schemas['DataExport']>) {
	const request = async () => {
		await paddock.post('/auth/privacy/exports');
		await reload();
		return t('exportRequested');
	};
	const isReady = latest?.status === 'READY' && latest.expiresAt !== null;
	return h(
		'div',
		{ class: 'stack' },
		isReady && h('p', { class: 'muted' }, t('exportReady', timeText(latest.expiresAt ?? ''))),
		latest?.status === 'REQUESTED' && h('p', { class: 'muted' }, t('exportPending')),
		h(Form, { action: t('requestExport'), submit: request }),
	);
}

function Erasure({ latest, reload }: RequestProps<Schemas['Erasure']>) {
	const request = async ({ email = '' }: Values): Promise<undefined> => {
		await paddock.post('/auth/privacy/erasure', { body: { email } });
		await reload();
	};
	const cancel = async (): Promise<undefined> => {
		await paddock.post('/auth/privacy/erasure/cancel');
		await reload();
	};
	if (latest?.status === 'REQUESTED')
		return h(
			'div',
			{ class: 'stack' },
			h('p', { class: 'note', role: 'status' }, t('erasureDue', dayText(latest.dueAt))),
			h(Form, { action: t('cancelErasure'), submit: cancel }),
		);
	return h(
		Form,
		{ action: t('requestErasure'), submit: request, kind: 'danger' },
		h(Field, {
			name: 'email',
			type: 'email',
			autocomplete: 'off',
			required: true,
			label: t('typeAddress'),
			maxLength: 254,
		}),
	);
}

/** The download of an export, with the token of the mail. */
export function ExportPage() {
	const download = async () => {
		const data = await paddock.post('/auth/privacy/exports/download', { body: { token: mailToken.value } });
		const url = URL.createObjectURL(
			new Blob([JSON.stringify(data, null, '\t')], { type: 'application/json' }),
		);
		const link = Object.assign(document.createElement('a'), {
			href: url,
			download: `paddock-${data.createdAt.slice(0, 10)}.json`,
		});
		link.click();
		// The browser has begun to read it.
		setTimeout(() => URL.revokeObjectURL(url), 60_000);
		return t('downloaded');
	};
	if (mailToken.value === '') return h(LinkIncomplete, {});
	return h(
		'div',
		{ class: 'stack' },
		h('p', {}, t('downloadText')),
		h(Form, { action: t('download'), submit: download }),
	);
}
