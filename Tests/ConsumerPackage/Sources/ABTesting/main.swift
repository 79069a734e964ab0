import ABTesting
import Support

let rollout = try Rollout(salt: "consumer", share: 0.25)
let included = (0..<1000).filter { rollout.includes("user-\($0)") }.count
let verdict = try Verdict(
  Proportion(successes: 90, trials: 100), against: Proportion(successes: 60, trials: 100))
guard (180...320).contains(included), verdict == .better else {
  exit(because: "a quarter of the users have the change, and 90 of 100 is better than 60")
}
print("ABTesting: \(included) of 1000 users have the change, and 90 of 100 beats 60")
