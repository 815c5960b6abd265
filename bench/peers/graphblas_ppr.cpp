extern "C" {
#include <GraphBLAS.h>
}

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "peers/peers.h"

namespace hushwalk::bench {
namespace {

void ok(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("GraphBLAS error " + std::to_string(info));
}

void start_once() {
  static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
  ok(started);
}

// A full vector whose memory is borrowed for plain loops: packing and unpacking move a pointer.
class FullVector {
 public:
  explicit FullVector(GrB_Index size) : size_(size) {
    ok(GrB_Vector_new(&vector_, GrB_FP64, size));
    close(static_cast<double*>(std::calloc(size, sizeof(double))));
  }
  FullVector(const FullVector&) = delete;
  FullVector& operator=(const FullVector&) = delete;
  ~FullVector() { GrB_Vector_free(&vector_); }

  double* open() {
    void* values = nullptr;
    GrB_Index bytes = 0;
    bool iso = false;
    ok(GxB_Vector_unpack_Full(vector_, &values, &bytes, &iso, nullptr));
    return static_cast<double*>(values);
  }
  void close(double* values) {
    void* memory = values;
    ok(GxB_Vector_pack_Full(vector_, &memory, size_ * sizeof(double), false, nullptr));
  }
  GrB_Vector get() const { return vector_; }

 private:
  GrB_Index size_;
  GrB_Vector vector_ = nullptr;
};

// The same of a full matrix, row by row.
class FullMatrix {
 public:
  FullMatrix(GrB_Index rows, GrB_Index columns) : size_(rows * columns) {
    ok(GrB_Matrix_new(&matrix_, GrB_FP64, rows, columns));
    close(static_cast<double*>(std::calloc(size_, sizeof(double))));
  }
  FullMatrix(const FullMatrix&) = delete;
  FullMatrix& operator=(const FullMatrix&) = delete;
  ~FullMatrix() { GrB_Matrix_free(&matrix_); }

  double* open() {
    void* values = nullptr;
    GrB_Index bytes = 0;
    bool iso = false;
    ok(GxB_Matrix_unpack_FullR(matrix_, &values, &bytes, &iso, nullptr));
    return static_cast<double*>(values);
  }
  void close(double* values) {
    void* memory = values;
    ok(GxB_Matrix_pack_FullR(matrix_, &memory, size_ * sizeof(double), false, nullptr));
  }
  GrB_Matrix get() const { return matrix_; }

 private:
  GrB_Index size_;
  GrB_Matrix matrix_ = nullptr;
};

void add_product(const FullVector& to, GrB_Semiring semiring, GrB_Matrix matrix, const FullVector& x) {
  ok(GrB_mxv(to.get(), nullptr, GrB_PLUS_FP64, semiring, matrix, x.get(), nullptr));
}
void add_product(const FullMatrix& to, GrB_Semiring semiring, GrB_Matrix matrix, const FullMatrix& x) {
  ok(GrB_mxm(to.get(), nullptr, GrB_PLUS_FP64, semiring, matrix, x.get(), nullptr));
}

}  // namespace

struct GraphBlasPpr::Impl {
  const DegreeOrder& order;
  Ppr ppr;
  Form form;
  GrB_Matrix matrix = nullptr;
  std::vector<double> inverse_degree;

  // Seeds side by side: x[row * seeds.size() + i] is that of seeds[i]. Full is a vector, or a matrix so wide.
  template <class Full>
  std::vector<double> run(Full& x, Full& next, std::span<const Node> seeds) const;
};

GraphBlasPpr::GraphBlasPpr(const DegreeOrder& order, Ppr ppr, Form form)
    : impl_(new Impl{order, ppr, form, nullptr, {}}) {
  start_once();
  std::vector<GrB_Index> i, j;
  std::vector<double> values;
  for (const auto& row : order.rows)
    impl_->inverse_degree.push_back(row.empty() ? 0 : 1 / static_cast<double>(row.size()));
  for (std::size_t row = 0; row < order.rows.size(); ++row)
    for (const Node other : order.rows[row]) {
      i.push_back(row);
      j.push_back(other);
      values.push_back(form == Form::second ? 1 : ppr.beta / 2 * impl_->inverse_degree[other]);
    }
  ok(GrB_Matrix_new(&impl_->matrix, GrB_FP64, order.rows.size(), order.rows.size()));
  if (form == Form::second) {  // one value for all entries: they are not even stored
    GxB_Scalar one = nullptr;
    ok(GrB_Scalar_new(&one, GrB_FP64));
    ok(GrB_Scalar_setElement_FP64(one, 1));
    ok(GxB_Matrix_build_Scalar(impl_->matrix, i.data(), j.data(), one, i.size()));
    GrB_Scalar_free(&one);
  } else {
    ok(GrB_Matrix_build_FP64(impl_->matrix, i.data(), j.data(), values.data(), i.size(), GrB_PLUS_FP64));
  }
  ok(GrB_Matrix_wait(impl_->matrix, GrB_MATERIALIZE));
}

GraphBlasPpr::~GraphBlasPpr() { GrB_Matrix_free(&impl_->matrix); }

template <class Full>
std::vector<double> GraphBlasPpr::Impl::run(Full& x, Full& next, std::span<const Node> seeds) const {
  const std::size_t rows = order.rows.size(), width = seeds.size();
  const double half = ppr.beta / 2, restart = 1 - ppr.beta;
  const bool second = form == Form::second;
  const GrB_Semiring semiring = second ? GxB_PLUS_SECOND_FP64 : GrB_PLUS_TIMES_SEMIRING_FP64;
  const auto add_to_seeds = [&](double* values, double number) {
    for (std::size_t i = 0; i < width; ++i) values[order.row_of_node[seeds[i]] * width + i] += number;
  };
  double* values = x.open();
  add_to_seeds(values, 1);
  for (int k = 0; k < ppr.steps; ++k) {
    double* const start = next.open();
    for (std::size_t i = 0; i < rows * width; ++i) start[i] = half * values[i];
    add_to_seeds(start, restart);
    if (second)
      for (std::size_t v = 0; v < rows; ++v)
        for (std::size_t i = 0; i < width; ++i) values[v * width + i] *= half * inverse_degree[v];
    x.close(values);
    next.close(start);
    add_product(next, semiring, matrix, x);
    double* const moved = next.open();  // swap the memory of x and next
    double* const spare = x.open();
    next.close(spare);
    values = moved;
  }
  std::vector<double> result(values, values + rows * width);
  x.close(values);
  return result;
}

std::vector<double> GraphBlasPpr::run(Node seed, int threads) const {
  ok(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  const std::size_t rows = impl_->order.rows.size();
  FullVector x(rows), next(rows);
  return impl_->order.by_node(impl_->run(x, next, {&seed, 1}));
}

std::vector<double> GraphBlasPpr::run_together(std::span<const Node> seeds, int threads) const {
  ok(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  const std::size_t rows = impl_->order.rows.size();
  FullMatrix x(rows, seeds.size()), next(rows, seeds.size());
  const std::vector<double> all = impl_->run(x, next, seeds);
  std::vector<double> first(rows);
  for (std::size_t row = 0; row < rows; ++row) first[row] = all[row * seeds.size()];
  return impl_->order.by_node(first);
}

}  // namespace hushwalk::bench
