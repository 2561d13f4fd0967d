// A program whose configuration is CUE: rules in the program, wishes from the user, and what both together say.
//   price_list 'apple: 3, pear: discount: 10'
#include <cue/value.h>
#include <data/json.h>
#include <diag/printer.h>

#include <iostream>

using namespace opm;

constexpr std::string_view kRules = R"(
import "math"

#Item: {
	price:    *100 | (number & >0)
	discount: *0 | (int & >=0 & <=50)
	total:    math.Round(price * (100 - discount) / 100)
}
#Wishes: [string]: number | {...}
#List: {
	wishes: #Wishes
	items: {
		for name, wish in wishes {
			(name): #Item
			if (wish & number) != _|_ {(name): price: wish}
			if (wish & {}) != _|_ {(name): wish}
		}
	}
}
)";

int complain(const cue::Program& program, cue::Diagnostics errors) {
  diag::sort_and_unite(program.sources(), errors);
  for (const diag::Diagnostic& error : errors) std::cerr << diag::format_text(program.sources(), error);
  return 1;
}

int main(int count, char** words) {
  if (count != 2) return std::cerr << "usage: price_list WISHES\n", 2;
  auto program = cue::Program::from_text("rules.cue", std::string(kRules));
  if (!program->instances()[0].errors.empty()) return complain(*program, program->instances()[0].errors);

  cue::Context context(program);
  auto wishes = context.compile(words[1], "wishes");
  if (!wishes) return complain(*program, wishes.error());

  std::pair<cue::Path, cue::Value> filled[] = {{cue::Path::of({"wishes"}), *wishes}};
  cue::Value items = context.instance(0).find("#List").fill(filled).find("items");
  if (cue::Diagnostics errors = items.validate({.concrete = true}); !errors.empty()) return complain(*program, errors);
  for (const cue::Value::FieldEntry& item : items.fields())
    std::cerr << item.name << " costs " << *item.value.find("total").integer() << "\n";
  std::cout << data::write_json(*items.to_data(), {.indent = 2, .final_newline = true});
}
