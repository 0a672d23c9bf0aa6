import { expect, test } from 'vitest';

import { suggestedName } from './suggested-name.ts';

const UPLOAD = '/data/uploads/0d6ae1f0-3f0c-4b7e-9a51-0c9d1f6c2b77';

test.each([
  ['/drop/resize.py', 'resize'],
  ['/models/tokenizer/1/model.py', 'tokenizer'],
  ['/models/tokenizer/model.py', 'tokenizer'],
  ['/models/mein Modell/3/model.pt', 'mein_Modell'],
  ['/models/video/1/dali.py', 'video'],
  ['/models/flowers/2/model.savedmodel', 'flowers'],
  [`${UPLOAD}/model.py`, 'model'],
])('%s is offered the name %s', (file, name) => {
  expect(suggestedName(file)).toBe(name);
});

test('what the file calls itself counts where neither file nor folder has a name', () => {
  expect(suggestedName(`${UPLOAD}/model.py`, 'image_resizer')).toBe('image_resizer');
  expect(suggestedName('/models/tokenizer/1/model.py', 'image_resizer')).toBe('tokenizer');
  expect(suggestedName(`${UPLOAD}/resize.py`, 'image_resizer')).toBe('resize');
});
