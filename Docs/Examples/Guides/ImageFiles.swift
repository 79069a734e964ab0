// begin
let url = checkoutFile("Fixtures/Images/cover.jpg")
let budget = 2_000_000
