import { standardOutput } from '@paddock/telemetry';
import { contexts } from './contexts/contexts.ts';
import { removeDemo } from './demo/remove-demo.ts';
import { onDatabases } from './start/on-databases.ts';

process.title = 'paddock demo-remove';
// A full disk or a closed pipe behind the output stops nothing.
standardOutput();

// `npm run demo:remove`: removes the demo data, including the accounts with their public password, from the databases
// of `npm start`, running or not. Other records remain; removed demo data is not inserted again.
await onDatabases(async (urls, signal) => {
	// In reverse order: records that refer to others are removed before them.
	for (const context of contexts.toReversed()) {
		signal.throwIfAborted();
		const { name, demo } = context;
		const url = urls.get(name);
		if (url === undefined || demo === undefined) continue;
		const { removed, note } = await removeDemo(context, url);
		console.log(`${name}: ${removed} demo ${demo} removed`);
		if (note !== undefined) console.log(`${name}: ${note}`);
	}
});
