import Testing
import _RunnerKernels

extension KernelSuite {
  @Test("A level that is not there becomes the best one")
  func forcingLevels() {
    #expect(rk_force_level(99) == rk_best_level())
    #expect(rk_force_level(0) == 0)
    #expect(rk_level() == 0)
    #expect(rk_force_level(-1) == rk_best_level())
    #expect(rk_level() == rk_best_level())
  }
}
