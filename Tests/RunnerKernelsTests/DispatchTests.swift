import TestSupport
import Testing
import _RunnerKernels

extension KernelSuite {
  @Test("A level that is not there becomes the best one")
  func forcingLevels() {
    #expect(vk_force_level(99) == vk_best_level())
    #expect(vk_force_level(0) == 0)
    #expect(vk_level() == 0)
    #expect(vk_force_level(-1) == vk_best_level())
    #expect(vk_level() == vk_best_level())
  }
}
