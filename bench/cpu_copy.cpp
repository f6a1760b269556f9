// The copy bandwidth of this machine's memory, as the ceiling that the CPU target is compared with.
//   g++ -O3 -march=native -fopenmp bench/cpu_copy.cpp -o copy && ./copy [cells]
// Prints GB/s, counting bytes read and bytes written, the median of nine copies of a float array on
// all cores.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

int main(int argc, char** argv) {
  const long long cells = argc > 1 ? std::atoll(argv[1]) : 1LL << 26;
  const auto from = std::make_unique_for_overwrite<float[]>(cells),
             to = std::make_unique_for_overwrite<float[]>(cells);
  float* __restrict const a = from.get();
  float* __restrict const b = to.get();
#pragma omp parallel for simd schedule(static)
  for (long long i = 0; i < cells; ++i) a[i] = static_cast<float>(i % 1000), b[i] = 0;
  std::vector<double> rates;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for simd schedule(static)
    for (long long i = 0; i < cells; ++i) b[i] = a[i];
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    rates.push_back(2.0 * sizeof(float) * static_cast<double>(cells) / seconds.count() * 1e-9);
  }
  std::sort(rates.begin(), rates.end());
  std::printf("copy: %.2f GB/s (check %.0f)\n", rates[4], static_cast<double>(b[cells / 2]));
}
