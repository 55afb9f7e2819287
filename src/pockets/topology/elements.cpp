#include "pockets/topology/elements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>

namespace molgauge::pocket {
namespace {

struct Element {
  std::string_view symbol;
  double mass;
};

/// The elements, in the order of their atomic numbers. The first has the number 1.
constexpr std::array kElements = std::to_array<Element>(
    {{"H", 1.008},   {"He", 4.0026}, {"Li", 6.94},   {"Be", 9.0122}, {"B", 10.81},   {"C", 12.011},
     {"N", 14.007},  {"O", 15.999},  {"F", 18.998},  {"Ne", 20.18},  {"Na", 22.99},  {"Mg", 24.305},
     {"Al", 26.982}, {"Si", 28.085}, {"P", 30.974},  {"S", 32.06},   {"Cl", 35.45},  {"Ar", 39.95},
     {"K", 39.098},  {"Ca", 40.078}, {"Sc", 44.956}, {"Ti", 47.867}, {"V", 50.942},  {"Cr", 51.996},
     {"Mn", 54.938}, {"Fe", 55.845}, {"Co", 58.933}, {"Ni", 58.693}, {"Cu", 63.546}, {"Zn", 65.38},
     {"Ga", 69.723}, {"Ge", 72.63},  {"As", 74.922}, {"Se", 78.971}, {"Br", 79.904}, {"Kr", 83.798},
     {"Rb", 85.468}, {"Sr", 87.62},  {"Y", 88.906},  {"Zr", 91.224}, {"Nb", 92.906}, {"Mo", 95.95},
     {"Tc", 97.0},   {"Ru", 101.07}, {"Rh", 102.91}, {"Pd", 106.42}, {"Ag", 107.87}, {"Cd", 112.41},
     {"In", 114.82}, {"Sn", 118.71}, {"Sb", 121.76}, {"Te", 127.6},  {"I", 126.9},   {"Xe", 131.29},
     {"Cs", 132.91}, {"Ba", 137.33}, {"La", 138.91}, {"Ce", 140.12}, {"Pr", 140.91}, {"Nd", 144.24},
     {"Pm", 145.0},  {"Sm", 150.36}, {"Eu", 151.96}, {"Gd", 157.25}, {"Tb", 158.93}, {"Dy", 162.5},
     {"Ho", 164.93}, {"Er", 167.26}, {"Tm", 168.93}, {"Yb", 173.05}, {"Lu", 174.97}, {"Hf", 178.49},
     {"Ta", 180.95}, {"W", 183.84},  {"Re", 186.21}, {"Os", 190.23}, {"Ir", 192.22}, {"Pt", 195.08},
     {"Au", 196.97}, {"Hg", 200.59}, {"Tl", 204.38}, {"Pb", 207.2},  {"Bi", 208.98}});

constexpr double kLightest = 0.5;

}  // namespace

int element_of_mass(double mass) {
  if (!(mass >= kLightest)) {
    return 0;
  }
  const auto distance = [&](const Element& element) {
    return element.symbol == "He" ? mass : std::abs(element.mass - mass);
  };
  const auto nearest =
      std::min_element(kElements.begin(), kElements.end(),
                       [&](const Element& a, const Element& b) { return distance(a) < distance(b); });
  return static_cast<int>(nearest - kElements.begin()) + 1;
}

int element_of_symbol(std::string_view symbol) {
  const auto is_same = [&](const Element& element) {
    return std::equal(symbol.begin(), symbol.end(), element.symbol.begin(), element.symbol.end(),
                      [](unsigned char a, unsigned char b) { return std::toupper(a) == std::toupper(b); });
  };
  const auto found = std::find_if(kElements.begin(), kElements.end(), is_same);
  return found == kElements.end() ? 0 : static_cast<int>(found - kElements.begin()) + 1;
}

}  // namespace molgauge::pocket
