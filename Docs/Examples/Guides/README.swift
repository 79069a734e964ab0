// begin
let photo = checkoutFile("Fixtures/Images/coins.png")
