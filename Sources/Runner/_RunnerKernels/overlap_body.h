// Overlaps of boxes at one level. See dispatch.h.

// Each step is a statement of its own, so that nothing is contracted: which boxes are kept must not
// depend on the level.
static int VK(rk_overlaps_f32)(
    const float *corners, ptrdiff_t stride, ptrdiff_t count, const float *box, float limit) {
  const vf top = v_set(box[0]), left = v_set(box[1]), bottom = v_set(box[2]), right = v_set(box[3]);
  const vf area = v_set(box[4]);
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
    const vf t = v_load(corners + i), l = v_load(corners + stride + i);
    const vf b = v_load(corners + 2 * stride + i), r = v_load(corners + 3 * stride + i);
    const vf high = (bottom < b ? bottom : b) - (top >= t ? top : t);
    const vf wide = (right < r ? right : r) - (left >= l ? left : l);
    const vi shares = (high > 0.0f) & (wide > 0.0f);
    if (!__builtin_reduce_or(shares) && 0.0f <= limit) continue;
    const vf shared = high * wide;
    const vf both = v_load(corners + 4 * stride + i) + area;
    const vf joint = both - shared;
    const vf share = shared / joint;
    const vf overlap = shares ? share : (vf)0.0f;
    if (__builtin_reduce_or(~(overlap <= limit))) return 1;
  }
  return 0;
}
