// Sends GETs from within the network of the cluster, two at once: `node send-gets.ts URL COUNT`. Prints the statuses and bodies
// as JSON.
const [url = '', count = '1'] = process.argv.slice(2);
const responses: { status: number; body: string }[] = [];
for (let sent = 0; sent < Number(count); sent += 2) {
	const pair = [1, 2].map(async () => {
		const response = await fetch(url);
		return { status: response.status, body: await response.text() };
	});
	responses.push(...(await Promise.all(pair)));
}
process.stdout.write(JSON.stringify(responses));
