#pragma once

// The functions of one instruction set (molecules/chem/conformers/fast/kernels.h). Every file of this folder
// is compiled once for each level, with the -m flags of the level. It uses no templates of the standard
// library, because the linker could choose the copy of another level.

#include "molecules/chem/conformers/fast/kernels.h"

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {

void spread(PairShape shape, std::size_t dimensions, const double* positions, float* to, float* rest);
void gather(PairShape shape, std::size_t dimensions, const float* from, double* slopes);
PairEnergy limits_3d(LimitPairs pairs, const float* points, float* slopes);
PairEnergy limits_4d(LimitPairs pairs, const float* points, float* slopes);
double springs(SpringPairs pairs, const float* points, float* slopes);
double nonbonded(NonbondedPairs pairs, const float* points, const float* rest, float* slopes);
double bonds(BondTerms terms, Points points, Slopes slopes, double* work);
double angles(AngleTerms terms, Points points, Slopes slopes, double* work);
double planes(PlaneTerms terms, Points points, Slopes slopes, double* work);
double inversions(PlaneTerms terms, Points points, Slopes slopes, double* work);
double torsions(TorsionTerms terms, Points points, Slopes slopes, double* work);
void change_and_multiply(QuasiNewton matrix, RankTwo change, const float* vector, float* product);
double dot(std::size_t count, const double* one, const double* other);
void step(std::size_t count, const double* from, double factor, const double* direction, double* to);
double largest_product(std::size_t count, const double* one, const double* other);
double largest_ratio(std::size_t count, const double* one, const double* other);
void smooth(PairShape shape, double* lower, double* upper);
void multiply(PairShape shape, const double* matrix, const double* vector, double* product);

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
