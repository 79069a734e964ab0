// begin
let text = "ISSN 0264-3596, ISMN 979-0-2306-7118-7"
