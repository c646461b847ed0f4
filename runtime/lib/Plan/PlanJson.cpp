// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metadata of a plan as JSON, through FlatBuffers' own parser and the
// schema's text.
#include "dtrt/PlanFile.h"

#include "dtrt/PlanSchema.h"

#include "flatbuffers/idl.h"

std::string dtrt::planToJson(const PlanFile &file) {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishPlanBuffer(builder, schema::Plan::Pack(builder, &file.plan));
  flatbuffers::IDLOptions options;
  options.strict_json = true;
  options.indent_step = 2;
  flatbuffers::Parser parser(options);
  std::string text;
  if (parser.Parse(kPlanSchema))
    flatbuffers::GenerateText(parser, builder.GetBufferPointer(), &text);
  return text;
}
