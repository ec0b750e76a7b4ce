import { NetworkError } from '@paddock/client';
import { useSignal } from '@preact/signals';
import { type ComponentChildren, type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { failureText } from './failures.ts';
import { t } from './language.ts';
import { endedBy } from './session.ts';

interface LoadedProps<Data> {
	readonly load: () => Promise<Data>;
	/** @param reload reads the data again; @param put shows these instead */
	readonly children: (
		data: Data,
		reload: () => Promise<void>,
		put: (data: Data) => void,
	) => ComponentChildren;
}

/** Reads data and shows them. */
export function Loaded<Data>({ load, children }: LoadedProps<Data>) {
	const data = useSignal<{ readonly data: Data } | undefined>(undefined);
	const failed = useSignal('');
	const reload = async (): Promise<void> => {
		failed.value = '';
		try {
			data.value = { data: await load() };
		} catch (error) {
			if (!endedBy(error)) failed.value = failureText(error);
		}
	};
	useEffect(() => void reload(), []);
	if (failed.value !== '')
		return h(
			'div',
			{ role: 'alert' },
			h('p', { class: 'note', 'data-error': true }, failed.value),
			h('button', { type: 'button', class: 'button', onClick: () => void reload() }, t('tryAgain')),
		);
	if (data.value === undefined) return h('p', { class: 'muted', role: 'status' }, t('loading'));
	return h(
		'div',
		{ class: 'stack' },
		children(data.value.data, reload, (next) => {
			data.value = { data: next };
		}),
	);
}

/** A page whose code is loaded when it is first shown. */
export function later(load: () => Promise<ComponentType>): ComponentType {
	let loaded: ComponentType | undefined;
	return function Later() {
		if (loaded !== undefined) return h(loaded, {});
		const fetched = async () => {
			// The browser says why only in its console.
			loaded = await load().catch((cause: unknown) => {
				throw new NetworkError('A part of the page is missing.', { cause });
			});
			return loaded;
		};
		return h(Loaded<ComponentType>, { load: fetched, children: (page) => h(page, {}) });
	};
}
