import ISBN
import Support

let isbn = try ISBN13("978-0-306-40615-7")
guard let short = try? ISBN10(isbn), "\(short)".filter({ $0 != "-" }) == "0306406152" else {
  exit(because: "\(isbn) should be 0306406152 as ISBN-10")
}
print("ISBN: \(isbn) is \(short)")
