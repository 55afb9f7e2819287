#include "molecules/encoders/chemprop/task_facts.h"

#include <algorithm>
#include <array>
#include <limits>

namespace molgauge::encoders::chemprop {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The tasks of ADMET-AI 2.0.1 with the categories, units and ranges of admet.csv in its wheel, except that
/// the Caco-2 values are logarithms of cm/s, as in their source (Therapeutics Data Commons).
constexpr auto kTasks = std::to_array<TaskFacts>(
    {{"hERG", "hERG blocking", "toxicity", "", "blocks the hERG channel", 0, 1},
     {"Lipophilicity_AstraZeneca", "log D (pH 7.4)", "absorption", "log units", "", -kInfinity, kInfinity},
     {"Solubility_AqSolDB", "aqueous solubility", "absorption", "log(mol/L)", "", -kInfinity, kInfinity},
     {"Caco2_Wang", "Caco-2 permeability", "absorption", "log(cm/s)", "", -kInfinity, kInfinity},
     {"BBB_Martins", "blood-brain barrier", "distribution", "", "penetrates the blood-brain barrier", 0, 1},
     {"CYP3A4_Veith", "CYP3A4 inhibition", "metabolism", "", "inhibits CYP3A4", 0, 1},
     {"Clearance_Microsome_AZ", "clearance (microsomes)", "excretion", "µL/min/mg", "", 0, kInfinity},
     {"AMES", "mutagenicity (Ames)", "toxicity", "", "is mutagenic in the Ames test", 0, 1},
     {"HIA_Hou", "human intestinal absorption", "absorption", "", "is absorbed in the human intestine", 0, 1},
     {"Bioavailability_Ma", "oral bioavailability", "absorption", "", "is orally bioavailable", 0, 1},
     {"PAMPA_NCATS", "PAMPA permeability", "absorption", "",
      "has a high permeability through an artificial membrane", 0, 1},
     {"Pgp_Broccatelli", "P-glycoprotein inhibition", "absorption", "", "inhibits P-glycoprotein", 0, 1},
     {"HydrationFreeEnergy_FreeSolv", "hydration free energy", "absorption", "kcal/mol", "", -kInfinity,
      kInfinity},
     {"PPBR_AZ", "plasma protein binding", "distribution", "%", "", 0, 100},
     {"VDss_Lombardo", "volume of distribution", "distribution", "L/kg", "", 0, kInfinity},
     {"CYP1A2_Veith", "CYP1A2 inhibition", "metabolism", "", "inhibits CYP1A2", 0, 1},
     {"CYP2C19_Veith", "CYP2C19 inhibition", "metabolism", "", "inhibits CYP2C19", 0, 1},
     {"CYP2C9_Veith", "CYP2C9 inhibition", "metabolism", "", "inhibits CYP2C9", 0, 1},
     {"CYP2D6_Veith", "CYP2D6 inhibition", "metabolism", "", "inhibits CYP2D6", 0, 1},
     {"CYP2C9_Substrate_CarbonMangels", "CYP2C9 substrate", "metabolism", "", "is a substrate of CYP2C9", 0,
      1},
     {"CYP2D6_Substrate_CarbonMangels", "CYP2D6 substrate", "metabolism", "", "is a substrate of CYP2D6", 0,
      1},
     {"CYP3A4_Substrate_CarbonMangels", "CYP3A4 substrate", "metabolism", "", "is a substrate of CYP3A4", 0,
      1},
     {"Half_Life_Obach", "half-life", "excretion", "h", "", 0, kInfinity},
     {"Clearance_Hepatocyte_AZ", "clearance (hepatocytes)", "excretion", "µL/min/10^6 cells", "", 0,
      kInfinity},
     {"DILI", "liver injury", "toxicity", "", "causes liver injury", 0, 1},
     {"ClinTox", "clinical toxicity", "toxicity", "", "failed in clinical trials because of toxicity", 0, 1},
     {"Carcinogens_Lagunin", "carcinogenicity", "toxicity", "", "is carcinogenic in rodents", 0, 1},
     {"LD50_Zhu", "acute toxicity (LD50)", "toxicity", "log(1/(mol/kg))", "", -kInfinity, kInfinity},
     {"Skin_Reaction", "skin sensitisation", "toxicity", "", "sensitises the skin", 0, 1},
     {"NR-AR", "androgen receptor", "toxicity", "", "is active at the androgen receptor", 0, 1},
     {"NR-AR-LBD", "androgen receptor (ligand binding domain)", "toxicity", "",
      "is active at the androgen receptor, tested with its ligand binding domain", 0, 1},
     {"NR-AhR", "aryl hydrocarbon receptor", "toxicity", "", "is active at the aryl hydrocarbon receptor", 0,
      1},
     {"NR-Aromatase", "aromatase", "toxicity", "", "inhibits aromatase", 0, 1},
     {"NR-ER", "oestrogen receptor", "toxicity", "", "is active at the oestrogen receptor", 0, 1},
     {"NR-ER-LBD", "oestrogen receptor (ligand binding domain)", "toxicity", "",
      "is active at the oestrogen receptor, tested with its ligand binding domain", 0, 1},
     {"NR-PPAR-gamma", "PPAR gamma", "toxicity", "", "is active at PPAR gamma", 0, 1},
     {"SR-ARE", "Nrf2 antioxidant response", "toxicity", "", "activates the antioxidant response element", 0,
      1},
     {"SR-ATAD5", "ATAD5 (genotoxic stress)", "toxicity", "", "activates ATAD5, a sign of DNA damage", 0, 1},
     {"SR-HSE", "heat shock response", "toxicity", "", "activates the heat shock response", 0, 1},
     {"SR-MMP", "mitochondrial membrane potential", "toxicity", "",
      "lowers the mitochondrial membrane potential", 0, 1},
     {"SR-p53", "p53", "toxicity", "", "activates p53", 0, 1}});

}  // namespace

const TaskFacts* find_admet_task(std::string_view name) {
  const auto* const found =
      std::find_if(kTasks.begin(), kTasks.end(), [&](const TaskFacts& task) { return name == task.name; });
  return found == kTasks.end() ? nullptr : found;
}

std::size_t importance(const TaskFacts& task) { return static_cast<std::size_t>(&task - kTasks.data()); }

double percentile_of_score(std::span<const float> ascending, float value) {
  const auto [first, last] = std::equal_range(ascending.begin(), ascending.end(), value);
  const auto below = static_cast<double>(first - ascending.begin()),
             up_to = static_cast<double>(last - ascending.begin());
  return (below + up_to + (up_to > below ? 1 : 0)) * 50 / static_cast<double>(ascending.size());
}

}  // namespace molgauge::encoders::chemprop
