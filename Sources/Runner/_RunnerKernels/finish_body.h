// What becomes of a sum before it is stored, at one level: vk_finish of VectorKernels.h.

/// One vector of results, `count` of which are written.
VK_INLINE void VK(finish_some)(
    vf v, float *to, const float *residual, ptrdiff_t count, const vk_finish *f,
    const vk_activation_kind kind) {
  vf added = residual ? v_load_some(residual, count < VK_WIDTH ? count : VK_WIDTH) : (vf)0.0f;
  if (f->residual_first && residual) v = v + added;
  v = v_activate(v, kind, f->activation.alpha, f->activation.beta);
  if (!f->residual_first && residual) v = v + added;
  v_store_some(to, v, count);
}
