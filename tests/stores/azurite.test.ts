// Azure over Azurite: the store scenario over a real emulator, and signatures in paths.

import { ContainerSASPermissions, BlobServiceClient } from '@azure/storage-blob';
import { afterAll, describe, expect, it } from 'vitest';

import { ObjectStores } from '../../src-main/object-stores/object-stores.ts';
import { endEmulators, startAzurite } from './emulators.ts';
import { storeScenario } from './store-scenario.ts';

const HOUR_MS = 3_600_000;

afterAll(endEmulators);
storeScenario('Azure over Azurite', startAzurite);

describe('signatures over Azurite', () => {
  it('open the folder that they were given with, each its own', async (context) => {
    const azurite = await startAzurite();
    if ('missing' in azurite) return context.skip(azurite.missing);
    const files = { 'm/config.pbtxt': 'backend: "identity"' };
    const models = await azurite.upload('models', files);
    const others = await azurite.upload('models-b', files);
    const connection = azurite.environment['AZURE_STORAGE_CONNECTION_STRING'] ?? '';
    const container = BlobServiceClient.fromConnectionString(connection).getContainerClient('bucket');
    const signed = async (endsAtMs: number): Promise<string> => {
      const permissions = ContainerSASPermissions.parse('rl');
      const url = await container.generateSasUrl({ permissions, expiresOn: new Date(endsAtMs) });
      return new URL(url).search;
    };
    // Neither account nor key: only what the paths bring.
    const keyless = connection.replace(/Account(Name|Key)=[^;]*;/g, '');
    const stores = new ObjectStores({ AZURE_STORAGE_CONNECTION_STRING: keyless });
    const good = stores.adopt(models + (await signed(Date.now() + HOUR_MS)));
    const late = stores.adopt(others + (await signed(Date.now() - HOUR_MS)));

    expect(good).toBe(models);
    expect(await stores.listFolders(good)).toEqual(['m']);
    expect(await stores.readText(`${good}/m/config.pbtxt`, 1000)).toBe(files['m/config.pbtxt']);
    const refusal = await stores.listFolders(late).catch((thrown: unknown) => String(thrown));
    expect(refusal).toContain(late);
    expect(refusal).not.toMatch(/sig=/);
    expect(await stores.listFolders(good)).toEqual(['m']);
    await stores.close();
  });
});
